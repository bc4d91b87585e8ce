import { Slot } from "@radix-ui/react-slot";
import { cva, type VariantProps } from "class-variance-authority";
import type { ComponentPropsWithoutRef } from "react";
import { cn } from "~/lib/utils";

export const badgeVariants = cva(
  [
    "inline-flex h-5 w-fit shrink-0 items-center justify-center gap-1 rounded-sm border border-transparent px-1.5 text-2xs",
    "font-medium whitespace-nowrap [&>svg]:pointer-events-none [&>svg]:size-3",
  ],
  {
    variants: {
      variant: {
        default: "bg-primary-surface text-primary",
        secondary: "bg-secondary text-muted-foreground",
        destructive: "bg-destructive-surface text-destructive",
        outline: "border-border text-foreground",
        info: "bg-info-surface text-info",
        success: "bg-success-surface text-success",
        warning: "bg-warning-surface text-warning",
        caution: "bg-caution text-caution-foreground",
      },
    },
    defaultVariants: { variant: "default" },
  },
);

export type BadgeProps = ComponentPropsWithoutRef<"span"> &
  VariantProps<typeof badgeVariants> & { asChild?: boolean };

export function Badge({ className, variant, asChild = false, ...props }: BadgeProps) {
  const Comp = asChild ? Slot : "span";
  return <Comp data-slot="badge" className={cn(badgeVariants({ variant }), className)} {...props} />;
}
