import { useEffect, useRef, type ReactNode } from "react";
import { cn } from "~/lib/class-names";

type ModalDialogProps = {
  /** The dialog's name, for screen readers. */
  label: string;
  onClose: () => void;
  className?: string;
  children: ReactNode;
};

/**
 * A dialog that a key or a button opens over any page and that has no address of its own, because its content
 * has a page (DialogPage is for dialogs with an address). Modal from its first paint; Escape and a press
 * beside it close it, and the browser returns the focus.
 */
export function ModalDialog({ label, onClose, className, children }: ModalDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    if (element && !element.open) element.showModal();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-label={label}
      onClose={onClose}
      onPointerDown={(event) => {
        if (event.target === event.currentTarget) event.currentTarget.close();
      }}
      className={cn(
        "m-auto max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] overflow-hidden rounded-lg border bg-surface p-0 text-surface-foreground",
        "shadow-float backdrop:bg-scrim open:animate-fade",
        className,
      )}
    >
      {children}
    </dialog>
  );
}
