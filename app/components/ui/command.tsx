import { Slot } from "@radix-ui/react-slot";
import { Search } from "lucide-react";
import { forwardRef, useId, type ComponentPropsWithoutRef } from "react";
import { Dialog, DialogContent, DialogTitle } from "~/components/ui/dialog";
import { cn } from "~/lib/utils";

type DivProps = ComponentPropsWithoutRef<"div">;

/**
 * A WAI-ARIA combobox with a listbox popup: the focus stays in CommandInput, whose `aria-activedescendant` names the
 * selected CommandItem. Whoever uses it filters, and moves the selection.
 */
export function Command({ className, ...props }: DivProps) {
  return (
    <div
      data-slot="command"
      className={cn("flex size-full flex-col overflow-hidden bg-popover text-popover-foreground", className)}
      {...props}
    />
  );
}

type CommandDialogProps = DivProps & {
  title: string;
  /** Called when the dialog was closed, and should be rendered no more. */
  onOpenChange: () => void;
};

export function CommandDialog({ title, onOpenChange, className, ...props }: CommandDialogProps) {
  return (
    <Dialog onOpenChange={onOpenChange}>
      <DialogContent
        showCloseButton={false}
        aria-describedby={undefined}
        className="mt-[12vh] max-h-[76vh] flex-col gap-0 overflow-hidden p-0 open:flex sm:max-w-xl sm:p-0"
      >
        <DialogTitle className="sr-only">{title}</DialogTitle>
        <Command className={cn("min-h-0", className)} {...props} />
      </DialogContent>
    </Dialog>
  );
}

type CommandInputProps = Omit<ComponentPropsWithoutRef<"input">, "type" | "role">;

/**
 * Needs an `aria-label`, `aria-controls` with the id of the CommandList, `aria-expanded`, and `aria-activedescendant` with the
 * id of the selected CommandItem.
 */
export const CommandInput = forwardRef<HTMLInputElement, CommandInputProps>(function CommandInput(
  { className, ...props },
  ref,
) {
  return (
    <div data-slot="command-input-wrapper" className="flex h-12 shrink-0 items-center gap-3 border-b px-4">
      <Search aria-hidden className="size-4 shrink-0 text-muted-foreground" />
      <input
        ref={ref}
        data-slot="command-input"
        type="text"
        role="combobox"
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        className={cn(
          "h-full min-w-0 flex-1 bg-transparent text-base outline-none placeholder:text-muted-foreground",
          className,
        )}
        {...props}
      />
    </div>
  );
});

/** Needs an `aria-label`. */
export function CommandList({ className, ...props }: DivProps) {
  return (
    <div
      data-slot="command-list"
      role="listbox"
      className={cn("min-h-0 scroll-py-2 overflow-y-auto overscroll-contain p-2", className)}
      {...props}
    />
  );
}

export function CommandEmpty({ className, ...props }: ComponentPropsWithoutRef<"p">) {
  return (
    <p
      data-slot="command-empty"
      className={cn("px-4 pb-4 wrap-anywhere text-muted-foreground", className)}
      {...props}
    />
  );
}

type CommandGroupProps = DivProps & { heading: string };

export function CommandGroup({ heading, children, ...props }: CommandGroupProps) {
  const id = useId();
  return (
    <div data-slot="command-group" role="group" aria-labelledby={id} {...props}>
      <p id={id} className="px-2 pt-2 pb-1 text-2xs font-medium text-muted-foreground">
        {heading}
      </p>
      {children}
    </div>
  );
}

type CommandItemProps = DivProps & { isSelected: boolean; asChild?: boolean };

/** Needs an `id`. No tab stop: the keys are the input's. */
export function CommandItem({ isSelected, asChild = false, className, ...props }: CommandItemProps) {
  const Comp = asChild ? Slot : "div";
  return (
    <Comp
      data-slot="command-item"
      role="option"
      aria-selected={isSelected}
      tabIndex={-1}
      className={cn(
        "relative flex min-h-9 cursor-default items-center gap-x-3 rounded-md px-2 py-1.5 text-sm select-none",
        "aria-selected:bg-primary-surface aria-selected:text-primary max-sm:flex-col max-sm:items-start max-sm:justify-center pointer-coarse:min-h-11",
        className,
      )}
      {...props}
    />
  );
}

/** What is said of an item at its end: its keys, or where it belongs. */
export function CommandShortcut({ className, ...props }: ComponentPropsWithoutRef<"span">) {
  return (
    <span
      data-slot="command-shortcut"
      className={cn("max-w-full min-w-0 truncate text-xs text-muted-foreground sm:ml-auto", className)}
      {...props}
    />
  );
}
