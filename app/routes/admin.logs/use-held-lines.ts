import { type RefObject, useState, useSyncExternalStore } from "react";
import type { LogsView } from "~/http/logs-view.server";

interface HeldLines {
  /** The view whose lines are shown. */
  readonly shown: LogsView;
  /** Number of newer lines that wait. */
  readonly waiting: number;
  readonly showNewest: () => void;
}

/**
 * Keeps the lines of a live page in their places while somebody reads them: newer ones wait while the beginning of the
 * list is out of sight, or pointer, focus or selection is in the list.
 */
export function useHeldLines(newest: LogsView, isLive: boolean, list: RefObject<HTMLElement>): HeldLines {
  const [held, setHeld] = useState(newest);
  const isReading = useSyncExternalStore(
    subscribeToReader,
    () => isRead(list.current),
    () => false,
  );
  const isFollowing = !isLive || !isReading;
  if (isFollowing && held !== newest) setHeld(newest);
  const shown = isFollowing ? newest : held;
  const first = shown.lines[0]?.id ?? 0;
  const waiting = newest.lines.filter(({ id }) => id > first).length;
  return { shown, waiting, showNewest: () => setHeld(newest) };
}

const EVENTS = ["scroll", "pointerover", "focusin", "selectionchange"] as const;

function subscribeToReader(onChange: () => void): () => void {
  for (const name of EVENTS) document.addEventListener(name, onChange, { passive: true });
  return () => {
    for (const name of EVENTS) document.removeEventListener(name, onChange);
  };
}

/** The top bar and the list's own header cover so many pixels of the screen. */
const COVERED = 96;

function isRead(list: HTMLElement | null): boolean {
  if (!list) return false;
  const isAboveScreen = list.getBoundingClientRect().top < COVERED;
  const selection = document.getSelection();
  const isSelected = selection?.isCollapsed === false && list.contains(selection.anchorNode);
  return isAboveScreen || isSelected || list.matches(":hover") || list.contains(document.activeElement);
}
