import { useNavigate } from "@remix-run/react";
import { useEffect, useRef } from "react";
import type { Appearance } from "~/http/appearance-cookie.server";
import { seconds } from "~/lib/durations";
import type { Entry } from "./navigation";

/** How long a g waits for the second key. */
const SEQUENCE_TIMEOUT_MS = seconds(1.5);
/** The search field of a screen, which / focuses; without one, / opens the search. */
const SEARCH_FIELD = "main input[type=search]";

type Shortcuts = {
  entries: readonly Entry[];
  shortcuts: Appearance["shortcuts"];
  isOn: boolean;
  openSearch: () => void;
  openSheet: () => void;
};

/** Single keys do nothing in text fields, with a modifier or when turned off; no key works while a dialog is open. */
export function useShortcuts(options: Shortcuts): void {
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
