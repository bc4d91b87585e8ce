import { useSyncExternalStore, type ReactNode } from "react";
import type { ToastActionElement, ToastVariant } from "~/components/ui/toast";
import { seconds } from "~/lib/durations";

/** Specification, section 9. */
const TOAST_LIMIT = 20;
/** How long a toast is shown. The specification's "custom" toast is a `default` one with a title. */
const DURATION_MS: Record<ToastVariant, number> = {
  default: seconds(4),
  success: seconds(2),
  destructive: seconds(4),
  loading: Infinity,
};

interface ToastOptions {
  title?: ReactNode;
  description?: ReactNode;
  variant?: ToastVariant;
  /** Milliseconds, or Infinity until it is dismissed; the variant's own when missing. */
  duration?: number | undefined;
  /** Stands in place of the closing cross. */
  action?: ToastActionElement;
}

export interface ToasterToast extends ToastOptions {
  id: string;
  variant: ToastVariant;
  duration: number;
}

let toasts: readonly ToasterToast[] = [];
let count = 0;
const listeners = new Set<() => void>();

function setToasts(next: readonly ToasterToast[]): void {
  toasts = next;
  for (const notify of listeners) notify();
}

/**
 * Shows a toast, in place of one with the same id (generated when missing). The newest comes first; beyond
 * the limit the oldest goes, which was shown longest. Any code may call this; one Toaster renders the toasts.
 */
export function toast({ id = `toast-${(count += 1)}`, ...options }: ToastOptions & { id?: string }) {
  const variant = options.variant ?? "default";
  const added = { ...options, id, variant, duration: options.duration ?? DURATION_MS[variant] };
  const isShown = toasts.some((other) => other.id === id);
  setToasts(
    isShown
      ? toasts.map((other) => (other.id === id ? added : other))
      : [added, ...toasts].slice(0, TOAST_LIMIT),
  );
  return { id, dismiss: () => dismiss(id) };
}

/** Removes a toast, or all. */
export function dismiss(toastId?: string): void {
  setToasts(toastId === undefined ? [] : toasts.filter(({ id }) => id !== toastId));
}

export const getToasts = () => toasts;

/** Calls `notify` after each change. Returns the function that ends this. */
export function subscribe(notify: () => void): () => void {
  listeners.add(notify);
  return () => listeners.delete(notify);
}

/** Returns whether a Toaster is mounted, so that a toast added now is seen now. */
export const hasToaster = () => listeners.size > 0;

/** The toasts, for the Toaster, which alone subscribes to them; in the browser only. */
export function useToast() {
  return { toasts: useSyncExternalStore(subscribe, getToasts), toast, dismiss };
}
