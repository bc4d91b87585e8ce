import { Slot } from "@radix-ui/react-slot";
import { cva, type VariantProps } from "class-variance-authority";
import type { ComponentPropsWithoutRef } from "react";
import { cn } from "~/lib/utils";

type SpanProps = ComponentPropsWithoutRef<"span">;

/** Holds a trigger and its content. */
export function Tooltip({ className, ...props }: SpanProps) {
  return (
    <span
      data-slot="tooltip"
      className={cn(
        "group/tooltip relative inline-flex min-w-0 [anchor-name:--tooltip] [anchor-scope:--tooltip]",
        className,
      )}
      {...props}
    />
  );
}

type TooltipTriggerProps = ComponentPropsWithoutRef<"button"> & { asChild?: boolean };

export function TooltipTrigger({ asChild = false, ...props }: TooltipTriggerProps) {
  const Comp = asChild ? Slot : "button";
  return <Comp data-slot="tooltip-trigger" {...props} />;
}

/* Fixed and anchored, so that no scrolling box cuts it off; absolute in browsers without anchors. */
const tooltipContentVariants = cva(
  [
    "pointer-events-none fixed z-50 w-max max-w-80 rounded-md border border-transparent bg-foreground px-2 py-1 text-xs font-normal",
    "text-background opacity-0 transition-opacity [position-anchor:--tooltip]",
    "group-hover/tooltip:opacity-100 group-has-focus-visible/tooltip:opacity-100",
  ],
  {
    variants: {
      side: {
        right:
          "ml-2 [position-area:right] not-supports-[position-area:right]:absolute not-supports-[position-area:right]:left-full",
        bottom:
          "mx-2 mt-2 [position-area:bottom] not-supports-[position-area:bottom]:absolute not-supports-[position-area:bottom]:top-full not-supports-[position-area:bottom]:right-0",
      },
    },
    defaultVariants: { side: "bottom" },
  },
);

type TooltipContentProps = SpanProps & VariantProps<typeof tooltipContentVariants>;

/**
 * Appears when the pointer or the focus is on the trigger. Inside the trigger its text is the trigger's name; beside it,
 * the trigger's `aria-describedby` says its `id`.
 */
export function TooltipContent({ className, side, ...props }: TooltipContentProps) {
  return (
    <span
      data-slot="tooltip-content"
      className={cn(tooltipContentVariants({ side }), className)}
      {...props}
    />
  );
}
