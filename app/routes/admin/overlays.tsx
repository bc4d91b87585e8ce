import { useNavigate } from "@remix-run/react";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { seconds } from "~/lib/durations";
import { paths } from "~/paths";
import type { LayoutData } from "./navigation";

/** A g waits this long for the second key. */
const SEQUENCE_TIMEOUT_MS = seconds(1.5);
/** The search field of a screen, which / focuses; without one, / opens the search. */
const SEARCH_FIELD = "main input[type=search]";

type OverlaysProps = LayoutData & { isOn: boolean };

// Loaded when first opened: most pages never need them.
const Palette = lazy(() => import("./palette").catch(() => leaveTo(paths.search)));
const ShortcutSheet = lazy(() => import("./shortcut-sheet").catch(() => leaveTo(paths.shortcuts)));

export function useOverlays({ entries, shortcuts, isOn }: OverlaysProps) {
  const [opened, setOpened] = useState<"search" | "shortcuts">();
  const openSearch = () => setOpened("search");
  // The browser reports a closed dialog a moment later, when a key may have opened the other one.
  const close = (closed: typeof opened) => () => setOpened((now) => (now === closed ? undefined : now));
  useShortcuts({ entries, shortcuts, isOn, openSearch, openSheet: () => setOpened("shortcuts") });
  return {
    openSearch,
    element: opened && (
      <Suspense fallback={null}>
        {opened === "search" ? (
          <Palette onClose={close("search")} />
        ) : (
          <ShortcutSheet entries={entries} shortcuts={shortcuts} onClose={close("shortcuts")} />
        )}
      </Suspense>
    ),
  };
}

/** Loads the page with the same content when a chunk cannot be fetched. Never resolves: this page is left. */
function leaveTo(path: string): Promise<never> {
  window.location.assign(path);
  return new Promise(() => undefined);
}

type ShortcutOptions = OverlaysProps & { openSearch: () => void; openSheet: () => void };

/** Single keys do nothing in text fields, with a modifier or when turned off; no key works while a dialog is open. */
function useShortcuts(options: ShortcutOptions): void {
  const navigate = useNavigate();
  const latest = useRef({ ...options, navigate });
  useEffect(() => {
    latest.current = { ...options, navigate };
  });

  useEffect(() => {
    let goPressedAt = -Infinity;
    const onKeyDown = (event: KeyboardEvent) => {
      const { entries, shortcuts, isOn, openSearch, openSheet, navigate } = latest.current;
      const follows = event.timeStamp - goPressedAt < SEQUENCE_TIMEOUT_MS;
      goPressedAt = -Infinity;
      if (!isOn || event.defaultPrevented || event.isComposing || event.repeat) return;
      if (document.querySelector("dialog[open]")) return;
      if (
        event.ctrlKey !== event.metaKey &&
        !event.altKey &&
        !event.shiftKey &&
        event.key.toLowerCase() === "k"
      ) {
        event.preventDefault();
        openSearch();
        return;
      }
      if (shortcuts === "off" || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target))
        return;
      const entry = follows ? entries.find(({ letter }) => letter === event.key) : undefined;
      if (entry) navigate(entry.to);
      else if (event.key === "g") goPressedAt = event.timeStamp;
      else if (event.key === "?") openSheet();
      else if (event.key === "/") focusSearch(openSearch);
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"))
  );
}

function focusSearch(openSearch: () => void): void {
  const field = document.querySelector<HTMLInputElement>(SEARCH_FIELD);
  if (!field) return openSearch();
  field.focus();
  field.select();
}
