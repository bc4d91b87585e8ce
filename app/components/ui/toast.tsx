import * as ToastPrimitives from "@radix-ui/react-toast";
import { cva, type VariantProps } from "class-variance-authority";
import { X } from "lucide-react";
import { forwardRef, type ComponentPropsWithoutRef, type ElementRef, type ReactElement } from "react";
import { buttonVariants } from "~/components/ui/button";
import { cn } from "~/lib/utils";

export const ToastProvider = ToastPrimitives.Provider;

/** At the top right on small screens and at the bottom right on others (specification, section 4). */
export const ToastViewport = forwardRef<
  ElementRef<typeof ToastPrimitives.Viewport>,
  ComponentPropsWithoutRef<typeof ToastPrimitives.Viewport>
>(function ToastViewport({ className, ...props }, ref) {
  return (
    <ToastPrimitives.Viewport
      ref={ref}
      data-slot="toast-viewport"
      className={cn(
        "fixed inset-x-4 top-4 z-50 flex max-h-[calc(100dvh-6rem)] flex-col gap-2 overflow-x-clip overflow-y-auto outline-none",
        // Room for focus rings.
        "-m-1 p-1 sm:top-auto sm:right-6 sm:bottom-6 sm:left-auto sm:w-96 sm:flex-col-reverse",
        className,
      )}
      {...props}
    />
  );
});

const toastVariants = cva(
  [
    "flex shrink-0 animate-enter items-start gap-2.5 rounded-lg border bg-popover py-2.5 pr-2 pl-3.5 text-sm text-popover-foreground shadow-float",
    "data-[swipe=cancel]:translate-x-0 data-[swipe=cancel]:transition-transform",
    "data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)",
    "[&>svg]:mt-0.5 [&>svg]:size-4 [&>svg]:shrink-0",
  ],
  {
    variants: {
      variant: {
        default: "",
        success: "[&>svg]:text-success",
        destructive: "border-destructive/40 [&>svg]:text-destructive",
        loading: "[&>svg]:animate-spin [&>svg]:text-primary",
      },
    },
    defaultVariants: { variant: "default" },
  },
);

export type ToastVariant = NonNullable<VariantProps<typeof toastVariants>["variant"]>;

type ToastProps = ComponentPropsWithoutRef<typeof ToastPrimitives.Root> & { variant?: ToastVariant };

/** A swipe to the right, Escape, its button or the end of its duration closes it. */
export function Toast({ className, variant, ...props }: ToastProps) {
  return (
    <ToastPrimitives.Root
      data-slot="toast"
      className={cn(toastVariants({ variant }), className)}
      {...props}
    />
  );
}

type ToastActionProps = ComponentPropsWithoutRef<typeof ToastPrimitives.Action>;

/** `altText` is what a screen reader hears of the button. */
export function ToastAction({ className, ...props }: ToastActionProps) {
  return (
    <ToastPrimitives.Action
      data-slot="toast-action"
      className={cn(buttonVariants({ variant: "outline" }), "-my-1", className)}
      {...props}
    />
  );
}

export type ToastActionElement = ReactElement<ToastActionProps>;

export function ToastClose({ className, ...props }: ComponentPropsWithoutRef<typeof ToastPrimitives.Close>) {
  return (
    <ToastPrimitives.Close
      data-slot="toast-close"
      aria-label="Dismiss"
      className={cn(
        buttonVariants({ variant: "ghost", size: "icon" }),
        "-my-2 text-muted-foreground",
        className,
      )}
      {...props}
    >
      <X aria-hidden />
    </ToastPrimitives.Close>
  );
}

export function ToastTitle({ className, ...props }: ComponentPropsWithoutRef<typeof ToastPrimitives.Title>) {
  return (
    <ToastPrimitives.Title data-slot="toast-title" className={cn("font-medium", className)} {...props} />
  );
}

export function ToastDescription(props: ComponentPropsWithoutRef<typeof ToastPrimitives.Description>) {
  return <ToastPrimitives.Description data-slot="toast-description" {...props} />;
}
