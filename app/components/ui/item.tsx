import { Slot } from "@radix-ui/react-slot";
import { cva, type VariantProps } from "class-variance-authority";
import type { ComponentPropsWithoutRef } from "react";
import { cn } from "~/lib/utils";

type DivProps = ComponentPropsWithoutRef<"div">;

/** A list, with lines between its items by `className="divide-y"`; each of them is `<Item asChild><li>`. */
export function ItemGroup({ className, ...props }: ComponentPropsWithoutRef<"ul">) {
  return <ul data-slot="item-group" className={cn("group/item-group flex flex-col", className)} {...props} />;
}

const itemVariants = cva(
  "group/item flex flex-wrap items-center rounded-md text-sm transition-colors [a]:hover:bg-accent",
  {
    variants: {
      variant: {
        default: "bg-transparent",
        outline: "border",
        muted: "bg-muted",
      },
      size: {
        default: "gap-4 p-4",
        sm: "gap-x-3 gap-y-2 px-4 py-3",
      },
    },
    defaultVariants: { variant: "default", size: "default" },
  },
);

type ItemProps = DivProps & VariantProps<typeof itemVariants> & { asChild?: boolean };

/** A thing with an icon, a title, a description and actions, each of which may be left out. */
export function Item({ className, variant, size, asChild = false, ...props }: ItemProps) {
  const Comp = asChild ? Slot : "div";
  return <Comp data-slot="item" className={cn(itemVariants({ variant, size, className }))} {...props} />;
}

const itemMediaVariants = cva(
  [
    "flex shrink-0 items-center justify-center gap-2 [&_svg]:pointer-events-none",
    "group-has-[[data-slot=item-description]]/item:self-start",
  ],
  {
    variants: {
      variant: {
        default: "bg-transparent",
        icon: "size-8 rounded-md bg-primary-surface text-primary [&_svg:not([class*='size-'])]:size-4",
      },
    },
    defaultVariants: { variant: "default" },
  },
);

export function ItemMedia({
  className,
  variant,
  ...props
}: DivProps & VariantProps<typeof itemMediaVariants>) {
  return <div data-slot="item-media" className={cn(itemMediaVariants({ variant, className }))} {...props} />;
}

export function ItemContent({ className, ...props }: DivProps) {
  return (
    <div
      data-slot="item-content"
      className={cn("flex min-w-0 flex-1 flex-col gap-0.5 wrap-anywhere", className)}
      {...props}
    />
  );
}

export function ItemTitle({
  className,
  asChild = false,
  ...props
}: ComponentPropsWithoutRef<"p"> & { asChild?: boolean }) {
  const Comp = asChild ? Slot : "p";
  return <Comp data-slot="item-title" className={cn("font-medium", className)} {...props} />;
}

export function ItemDescription({ className, ...props }: ComponentPropsWithoutRef<"p">) {
  return <p data-slot="item-description" className={cn("text-muted-foreground", className)} {...props} />;
}

export function ItemActions({ className, ...props }: DivProps) {
  return (
    <div data-slot="item-actions" className={cn("flex flex-wrap items-center gap-2", className)} {...props} />
  );
}
