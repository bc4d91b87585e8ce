import { Slot } from "@radix-ui/react-slot";
import type { VariantProps } from "class-variance-authority";
import { createContext, useContext, type ComponentPropsWithoutRef } from "react";
import { cn } from "~/lib/utils";
import { toggleVariants } from "./toggle";

type ToggleGroupLook = VariantProps<typeof toggleVariants> & {
  /** 0 joins the items to one control; from 1 on they stand apart and may wrap. */
  spacing?: 0 | 1;
};

const ToggleGroupContext = createContext<ToggleGroupLook>({});

type ToggleGroupProps = ComponentPropsWithoutRef<"div"> & ToggleGroupLook & { asChild?: boolean };

/** Choices of which one holds. Needs an `aria-label`; `asChild` makes a `<nav>` of links of it. */
export function ToggleGroup({
  className,
  variant,
  size,
  spacing = 0,
  asChild = false,
  ...props
}: ToggleGroupProps) {
  const Comp = asChild ? Slot : "div";
  return (
    <ToggleGroupContext.Provider value={{ variant, size, spacing }}>
      <Comp
        data-slot="toggle-group"
        data-spacing={spacing}
        role={asChild ? undefined : "group"}
        className={cn("flex w-fit items-center data-[spacing=1]:flex-wrap data-[spacing=1]:gap-1", className)}
        {...props}
      />
    </ToggleGroupContext.Provider>
  );
}

type ToggleGroupItemProps = ComponentPropsWithoutRef<"button"> & { asChild?: boolean };

/** A button with `aria-pressed`, or by `asChild` a link with `aria-current`. */
export function ToggleGroupItem({ className, asChild = false, ...props }: ToggleGroupItemProps) {
  const { variant, size, spacing } = useContext(ToggleGroupContext);
  const Comp = asChild ? Slot : "button";
  return (
    <Comp
      data-slot="toggle-group-item"
      data-spacing={spacing}
      className={cn(
        toggleVariants({ variant, size }),
        "relative shrink-0 focus-visible:z-10 data-[spacing=0]:rounded-none data-[spacing=0]:first:rounded-l-md",
        "data-[spacing=0]:last:rounded-r-md",
        variant === "outline" && "aria-pressed:z-10 aria-[current]:z-10 data-[spacing=0]:not-first:-ml-px",
        className,
      )}
      {...props}
    />
  );
}
