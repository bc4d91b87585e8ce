import type { ComponentPropsWithoutRef } from "react";
import {
  Dialog,
  DialogClose,
  DialogCross,
  DialogDescription,
  DialogElement,
  DialogOverlay,
  DialogTitle,
} from "~/components/ui/dialog";
import { cn } from "~/lib/utils";

type DivProps = ComponentPropsWithoutRef<"div">;

/** A Dialog at a side of the screen. */
export const Sheet = Dialog;

export const SheetClose = DialogClose;

const SIDES = {
  right: "inset-y-0 right-0 left-auto w-3/4 border-l sm:max-w-sm",
  left: "inset-y-0 right-auto left-0 w-3/4 border-r sm:max-w-sm",
  top: "inset-x-0 top-0 bottom-auto border-b",
  bottom: "inset-x-0 top-auto bottom-0 border-t",
};

type SheetContentProps = ComponentPropsWithoutRef<typeof DialogElement> & {
  side?: keyof typeof SIDES;
  showCloseButton?: boolean;
};

/** Without a SheetDescription it needs `aria-describedby={undefined}`. */
export function SheetContent({
  className,
  children,
  side = "right",
  showCloseButton = true,
  ...props
}: SheetContentProps) {
  return (
    <>
      <DialogOverlay data-slot="sheet-overlay" />
      <DialogElement
        data-slot="sheet-content"
        className={cn(
          "m-0 h-auto max-h-dvh max-w-full flex-col gap-4 border-0 open:flex",
          SIDES[side],
          className,
        )}
        {...props}
      >
        {showCloseButton ? <DialogCross /> : null}
        {children}
      </DialogElement>
    </>
  );
}

export function SheetHeader({ className, ...props }: DivProps) {
  return <div data-slot="sheet-header" className={cn("flex flex-col gap-1.5 p-4", className)} {...props} />;
}

export function SheetFooter({ className, ...props }: DivProps) {
  return (
    <div data-slot="sheet-footer" className={cn("mt-auto flex flex-col gap-2 p-4", className)} {...props} />
  );
}

export function SheetTitle({ className, ...props }: ComponentPropsWithoutRef<"h2">) {
  return <DialogTitle data-slot="sheet-title" className={cn("text-sm", className)} {...props} />;
}

export function SheetDescription(props: DivProps) {
  return <DialogDescription data-slot="sheet-description" {...props} />;
}
