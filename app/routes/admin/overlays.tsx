import { useLocation, useNavigate, useNavigationType } from "@remix-run/react";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { connection } from "~/components/connection";
import { isTyping, leaveSearch, pressListKey, ROWS } from "~/components/list-keys";
import { messages } from "~/content/messages";
import { seconds } from "~/lib/durations";
import { paths } from "~/paths";
import type { LayoutData } from "~/components/shell/navigation";

/** A g waits this long for the second key. */
const SEQUENCE_TIMEOUT_MS = seconds(1.5);
/** The search field of a screen, which / focuses and the down arrow leaves; without one, / opens the search. */
const SEARCH_FIELD = "main input[type=search]";
/** The link from a page to the list that its subject is in. */
const PARENT = "main [data-slot=breadcrumb] a";

type OverlaysProps = LayoutData & { isOn: boolean };

// Loaded when first opened: most pages never need them.
const Palette = lazy(() => import("./palette").catch(() => leaveTo(paths.search)));
const ShortcutSheet = lazy(() => import("./shortcut-sheet").catch(() => leaveTo(paths.shortcuts)));

export function useOverlays({ entries, shortcuts, isOn }: OverlaysProps) {
  const [opened, setOpened] = useState<"search" | "shortcuts">();
  const open = (overlay: NonNullable<typeof opened>) => {
    // Without the server its chunk cannot be fetched, and the page of the same content would replace this one.
    if (connection.isLost()) connection.tell(messages.connection.pageStays);
    else setOpened(overlay);
  };
  const openSearch = () => open("search");
  // The browser reports a closed dialog a moment later, when a key may have opened the other one.
  const close = (closed: typeof opened) => () => setOpened((now) => (now === closed ? undefined : now));
  useShortcuts({ entries, shortcuts, isOn, openSearch, openSheet: () => open("shortcuts") });
  return {
    openSearch,
    element: opened && (
      <Suspense fallback={null}>
        {opened === "search" ? (
          <Palette entries={shortcuts === "on" ? entries : []} onClose={close("search")} />
        ) : (
          <ShortcutSheet entries={entries} onClose={close("shortcuts")} />
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

/** Single keys do nothing in fields, with a modifier or when turned off; no key works while a dialog is open. */
function useShortcuts(options: ShortcutOptions): void {
  const navigate = useNavigate();
  const { key, pathname } = useLocation();
  const navigationType = useNavigationType();
  const latest = useRef({ ...options, navigate });
  const visited = useRef({ key, pathname, previous: "", isFromRow: false });
  /** The key of the page on which the link of a row was followed last. */
  const leftByRow = useRef("");
  useEffect(() => {
    latest.current = { ...options, navigate };
    const { current } = visited;
    if (current.key === key) return;
    const isFromRow = leftByRow.current === current.key;
    if (navigationType === "REPLACE") visited.current = { ...current, key, pathname };
    else if (navigationType === "PUSH")
      visited.current = { key, pathname, previous: current.pathname, isFromRow };
    else visited.current = { key, pathname, previous: "", isFromRow: false };
  });

  useEffect(() => {
    let goPressedAt = -Infinity;
    const onKeyDown = (event: KeyboardEvent) => {
      const { entries, shortcuts, isOn, openSearch, openSheet, navigate } = latest.current;
      const follows = event.timeStamp - goPressedAt < SEQUENCE_TIMEOUT_MS;
      if (!event.repeat) goPressedAt = -Infinity;
      if (!isOn || event.defaultPrevented || event.isComposing) return;
      if (document.querySelector("dialog[open]")) return;
      if (
        event.ctrlKey !== event.metaKey &&
        !event.altKey &&
        !event.shiftKey &&
        !event.repeat &&
        event.key.toLowerCase() === "k"
      ) {
        event.preventDefault();
        openSearch();
        return;
      }
      if (shortcuts === "off" || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target)) {
        const leaves = event.key === "ArrowDown" && (event.target as Element).matches(SEARCH_FIELD);
        if (leaves && leaveSearch()) event.preventDefault();
        return;
      }
      const entry = follows && !event.repeat ? entries.find(({ letter }) => letter === event.key) : undefined;
      if (entry) navigate(entry.to);
      else if (pressListKey(event)) event.preventDefault();
      else if (event.repeat) return;
      else if (event.key === "Escape") return backToList(navigate, visited.current);
      else if (event.key === "g") goPressedAt = event.timeStamp;
      else if (event.key === "?") openSheet();
      else if (event.key === "/") focusSearch(openSearch);
      else return;
      event.preventDefault();
    };
    const onClick = ({ target }: MouseEvent) => {
      if (target instanceof Element && target.closest(`${ROWS} a[href]`))
        leftByRow.current = visited.current.key;
    };
    document.addEventListener("keydown", onKeyDown);
    document.addEventListener("click", onClick);
    return () => {
      document.removeEventListener("keydown", onKeyDown);
      document.removeEventListener("click", onClick);
    };
  }, []);
}

/** What the Back button leads to, where it is known. */
type Visited = { previous: string; isFromRow: boolean };

/**
 * Leads from a page to the list that the person comes from, as the Back button does: that of the page, or another list
 * whose row led here. Else to the page's list by its link.
 */
function backToList(navigate: ReturnType<typeof useNavigate>, { previous, isFromRow }: Visited): void {
  const parent = document.querySelector<HTMLAnchorElement>(PARENT);
  if (parent && (isFromRow || previous === parent.pathname)) navigate(-1);
  else parent?.click();
}

function focusSearch(openSearch: () => void): void {
  const field = document.querySelector<HTMLInputElement>(SEARCH_FIELD);
  if (!field) return openSearch();
  field.focus();
  field.select();
}
