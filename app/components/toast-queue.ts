import { seconds } from "~/lib/durations";

/** Specification, section 9. */
const MOST = 20;
const SHOWN_MS = {
  blank: seconds(4),
  success: seconds(2),
  error: seconds(4),
  loading: Infinity,
  custom: seconds(4),
} as const;

type ToastKind = keyof typeof SHOWN_MS;

export interface ToastMessage {
  /** A later message with the same id takes the place of the first; made up when missing. */
  id?: string;
  /** blank has no sign, success, error and loading have their own, custom is whatever has a title besides. */
  kind: ToastKind;
  title?: string;
  text: string;
  /** Milliseconds, or "until-dismissed"; the kind's own when missing. */
  shown?: number | "until-dismissed";
}

export interface Toast {
  id: string;
  kind: ToastKind;
  title: string | undefined;
  text: string;
  /** Milliseconds, Infinity included. */
  shownMs: number;
  /** Stands until somebody dismisses it, and so says how. */
  persists: boolean;
}

/** The messages of one page, newest first: whoever has one shows it here, one toaster (toaster.tsx) has them on the screen. */
export function createToastQueue() {
  let list: readonly Toast[] = [];
  let count = 0;
  const toasters = new Set<() => void>();
  const change = (next: readonly Toast[]) => {
    list = next;
    for (const tell of toasters) tell();
  };

  return {
    /** Returns the message's id, by which it is dismissed or replaced. */
    show({ id = `toast-${(count += 1)}`, kind, title, text, shown }: ToastMessage): string {
      const persists = shown === "until-dismissed";
      const shownMs = persists ? Infinity : (shown ?? SHOWN_MS[kind]);
      const toast = { id, kind, title, text, shownMs, persists };
      const isThere = list.some((other) => other.id === id);
      // The oldest has been seen longest.
      change(
        isThere ? list.map((other) => (other.id === id ? toast : other)) : [toast, ...list].slice(0, MOST),
      );
      return id;
    },
    dismiss(id: string): void {
      change(list.filter((toast) => toast.id !== id));
    },
    list: () => list,
    /** Whether a toaster is on the page, so that what is shown now is seen now. */
    isWatched: () => toasters.size > 0,
    watch(tell: () => void): () => void {
      toasters.add(tell);
      return () => toasters.delete(tell);
    },
  };
}

export const toasts = createToastQueue();
