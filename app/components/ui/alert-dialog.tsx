import type { ComponentPropsWithoutRef, HTMLAttributes } from "react";
import { Button, type ButtonProps } from "~/components/ui/button";
import {
  Dialog,
  DialogClose,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
} from "~/components/ui/dialog";
import { cn } from "~/lib/utils";

type DivProps = ComponentPropsWithoutRef<"div">;

/** A question: a Dialog without the cross. Its answers, Escape and a press beside it close it. */
export const AlertDialog = Dialog;

export function AlertDialogContent({
  className,
  ...props
}: Omit<ComponentPropsWithoutRef<typeof DialogContent>, "showCloseButton">) {
  return (
    <DialogContent
      showCloseButton={false}
      data-slot="alert-dialog-content"
      // The footer covers no field that gets the focus.
      className={cn("[&_:is(input,select,textarea,summary)]:scroll-mb-24", className)}
      {...props}
    />
  );
}

export function AlertDialogHeader(props: DivProps) {
  return <DialogHeader data-slot="alert-dialog-header" {...props} />;
}

/** Stays in sight where its form is higher than the window, so that the initial focus scrolls nothing. */
export function AlertDialogFooter({ className, ...props }: DivProps) {
  return (
    <DialogFooter
      data-slot="alert-dialog-footer"
      className={cn(
        "sticky -bottom-5 -mx-5 -mt-2 -mb-5 bg-popover px-5 pt-2 pb-5 sm:-bottom-6 sm:-mx-6 sm:-mb-6 sm:px-6 sm:pb-6",
        className,
      )}
      {...props}
    />
  );
}

export function AlertDialogTitle({ className, ...props }: ComponentPropsWithoutRef<"h2">) {
  return <DialogTitle data-slot="alert-dialog-title" className={cn("pr-0", className)} {...props} />;
}

export function AlertDialogDescription(props: DivProps) {
  return <DialogDescription data-slot="alert-dialog-description" {...props} />;
}

/** Submits the form around it. */
export function AlertDialogAction(props: Omit<ButtonProps, "type" | "asChild">) {
  return <Button data-slot="alert-dialog-action" type="submit" {...props} />;
}

type AlertDialogCancelProps = HTMLAttributes<HTMLElement> & Pick<ButtonProps, "variant" | "size">;

export function AlertDialogCancel({
  className,
  variant = "outline",
  size = "default",
  ...props
}: AlertDialogCancelProps) {
  return (
    <Button asChild variant={variant} size={size} className={className}>
      <DialogClose data-slot="alert-dialog-cancel" {...props} />
    </Button>
  );
}
