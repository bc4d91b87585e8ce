import { useEffect, useRef, type ReactNode } from "react";
import { cn } from "~/lib/utils";

type ModalDialogProps = {
  label: string;
  onClose: () => void;
  className?: string;
  children: ReactNode;
};

/** A dialog without an address, because its content has a page. Escape and a press beside it close it. */
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
        "m-auto max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] overflow-hidden rounded-lg border bg-card p-0 text-foreground",
        "shadow-float backdrop:bg-scrim open:animate-fade",
        className,
      )}
    >
      {children}
    </dialog>
  );
}
