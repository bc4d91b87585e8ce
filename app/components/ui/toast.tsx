import * as Radix from "@radix-ui/react-toast";
import { cva, type VariantProps } from "class-variance-authority";
import { forwardRef, type ComponentPropsWithoutRef } from "react";
import { cn } from "~/lib/class-names";

/* Rendered in the browser only: Radix sets `style`, which the content policy allows by script, not in HTML. */

/** Wraps the toasts and their viewport. A swipe to the right, Escape, its button or a timeout dismisses a toast. */
export const ToastProvider = Radix.Provider;

const viewportVariants = cva(
  [
    "fixed inset-x-4 z-50 flex max-h-[calc(100dvh-6rem)] flex-col gap-2 overflow-x-clip overflow-y-auto outline-none",
    // Room for focus rings.
    "-m-1 p-1 sm:top-auto sm:left-auto sm:w-96 sm:flex-col-reverse",
  ],
  {
    variants: {
      /** Both are at the top right on small screens and at the bottom right on others (specification, section 4). */
      placement: {
        page: "top-4 sm:right-6 sm:bottom-6",
        /** Clear of the bars of the back office. */
        frame: "top-15 sm:right-6 sm:bottom-11",
      },
    },
    defaultVariants: { placement: "page" },
  },
);

type ViewportProps = ComponentPropsWithoutRef<typeof Radix.Viewport> & VariantProps<typeof viewportVariants>;

/** The region that holds the toasts; F8 moves the focus there. */
export const ToastViewport = forwardRef<HTMLOListElement, ViewportProps>(function ToastViewport(
  { placement, className, ...props },
  ref,
) {
  return <Radix.Viewport ref={ref} className={cn(viewportVariants({ placement }), className)} {...props} />;
});

export function Toast({ className, ...props }: ComponentPropsWithoutRef<typeof Radix.Root>) {
  return (
    <Radix.Root
      className={cn(
        "flex shrink-0 animate-enter items-start gap-2.5 rounded-lg border bg-surface py-2.5 pr-2 pl-3.5 text-sm text-surface-foreground shadow-float",
        "data-[swipe=cancel]:translate-x-0 data-[swipe=cancel]:transition-transform",
        "data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)",
        className,
      )}
      {...props}
    />
  );
}

export function ToastTitle({ className, ...props }: ComponentPropsWithoutRef<typeof Radix.Title>) {
  return <Radix.Title className={cn("font-medium", className)} {...props} />;
}

export const ToastDescription = Radix.Description;

/** A button that dismisses its toast; left out when the toast is announced. */
export const ToastClose = Radix.Close;
