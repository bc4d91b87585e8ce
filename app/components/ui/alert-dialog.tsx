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

/** A question: a Dialog that its answers close, not a cross. */
export const AlertDialog = Dialog;

export function AlertDialogContent(
  props: Omit<ComponentPropsWithoutRef<typeof DialogContent>, "showCloseButton">,
) {
  return <DialogContent showCloseButton={false} data-slot="alert-dialog-content" {...props} />;
}

export function AlertDialogHeader(props: DivProps) {
  return <DialogHeader data-slot="alert-dialog-header" {...props} />;
}

export function AlertDialogFooter(props: DivProps) {
  return <DialogFooter data-slot="alert-dialog-footer" {...props} />;
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
