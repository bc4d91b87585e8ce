import { seconds } from "~/lib/durations";

/** Specification, section 9. */
const MAX_TOASTS = 20;
const SHOWN_MS = {
  blank: seconds(4),
  success: seconds(2),
  error: seconds(4),
  loading: Infinity,
  custom: seconds(4),
} as const;

type ToastKind = keyof typeof SHOWN_MS;

interface ToastMessage {
  /** A later message with the same id replaces the first; generated when missing. */
  id?: string;
  /** blank has no icon; success, error and loading have their own; custom is any message that has a title too. */
  kind: ToastKind;
  title?: string;
  text: string;
  /** Milliseconds, or "until-dismissed"; the kind's default when missing. */
  shown?: number | "until-dismissed";
}

export interface Toast {
  id: string;
  kind: ToastKind;
  title: string | undefined;
  text: string;
  /** Milliseconds; Infinity for messages that stay. */
  shownMs: number;
  /** True when it stays until dismissed, and therefore has a button for it. */
  persists: boolean;
}

/** The toasts of one page, newest first. Any component adds to the queue; one toaster (toaster.tsx) renders it. */
export function createToastQueue() {
  let list: readonly Toast[] = [];
  let count = 0;
  const toasters = new Set<() => void>();
  const change = (next: readonly Toast[]) => {
    list = next;
    for (const notify of toasters) notify();
  };

  return {
    /** Returns the message's id, by which it is dismissed or replaced. */
    show({ id = `toast-${(count += 1)}`, kind, title, text, shown }: ToastMessage): string {
      const persists = shown === "until-dismissed";
      const shownMs = persists ? Infinity : (shown ?? SHOWN_MS[kind]);
      const toast = { id, kind, title, text, shownMs, persists };
      const isThere = list.some((other) => other.id === id);
      // Drops the oldest, which was shown longest.
      change(
        isThere
          ? list.map((other) => (other.id === id ? toast : other))
          : [toast, ...list].slice(0, MAX_TOASTS),
      );
      return id;
    },
    dismiss(id: string): void {
      change(list.filter((toast) => toast.id !== id));
    },
    list: () => list,
    /** Returns whether a toaster is mounted, so that a toast added now is seen now. */
    isWatched: () => toasters.size > 0,
    watch(notify: () => void): () => void {
      toasters.add(notify);
      return () => toasters.delete(notify);
    },
  };
}

export const toasts = createToastQueue();
