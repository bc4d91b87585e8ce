import { Slot } from "@radix-ui/react-slot";
import { Menu, X } from "lucide-react";
import { forwardRef, type ComponentPropsWithoutRef } from "react";
import { cn } from "~/lib/utils";
import { buttonVariants } from "./button";
import { Separator } from "./separator";

type DivProps = ComponentPropsWithoutRef<"div">;

type SidebarProviderProps = DivProps & {
  /** False shows icons without names on wide screens. Comes with the request, as a cookie: no script is needed. */
  open?: boolean;
};

/** Holds Sidebar, SidebarTrigger and SidebarInset, and the sidebar's two widths. */
export function SidebarProvider({ open = true, className, ...props }: SidebarProviderProps) {
  return (
    <div
      data-slot="sidebar-wrapper"
      data-state={open ? "expanded" : "collapsed"}
      className={cn(
        "group/sidebar-wrapper flex min-h-dvh w-full [--sidebar-width-icon:4rem] [--sidebar-width:14.5rem]",
        className,
      )}
      {...props}
    />
  );
}

/**
 * At the side from md on; on small screens a panel that is there while the SidebarTrigger is open. `collapsed:` (app/theme.css)
 * applies while it has no names.
 */
export function Sidebar({ className, ...props }: DivProps) {
  return (
    <div
      data-slot="sidebar"
      className={cn(
        "z-20 hidden flex-col bg-sidebar text-sidebar-foreground",
        "max-md:fixed max-md:inset-x-0 max-md:border-b max-md:border-sidebar-border max-md:bg-popover max-md:shadow-float",
        "max-md:group-has-[[data-slot=sidebar-trigger][open]]/sidebar-wrapper:flex",
        "md:sticky md:flex md:w-(--sidebar-width) md:shrink-0 md:border-r md:border-sidebar-border",
        "collapsed:w-(--sidebar-width-icon)",
        className,
      )}
      {...props}
    />
  );
}

/** Opens and closes the sidebar of small screens. A new `key` closes it. */
export function SidebarTrigger({ className, children, ...props }: ComponentPropsWithoutRef<"details">) {
  return (
    <details data-slot="sidebar-trigger" className={cn("group/trigger md:hidden", className)} {...props}>
      <summary className={cn(buttonVariants({ variant: "ghost" }), "-mr-2 px-2")}>
        <Menu aria-hidden className="group-open/trigger:hidden" />
        <X aria-hidden className="not-group-open/trigger:hidden" />
        {children}
      </summary>
    </details>
  );
}

/** The page beside the sidebar. */
export const SidebarInset = forwardRef<HTMLElement, ComponentPropsWithoutRef<"main">>(function SidebarInset(
  { className, ...props },
  ref,
) {
  return (
    <main
      ref={ref}
      data-slot="sidebar-inset"
      className={cn("relative min-w-0 flex-1 bg-background", className)}
      {...props}
    />
  );
});

export function SidebarHeader({ className, ...props }: DivProps) {
  return <div data-slot="sidebar-header" className={cn("flex flex-col gap-2 p-3", className)} {...props} />;
}

/** Scrolls where the screen is too low. */
export function SidebarContent({ className, ...props }: DivProps) {
  return (
    <div
      data-slot="sidebar-content"
      className={cn(
        "flex min-h-0 flex-1 [scrollbar-width:thin] flex-col overflow-y-auto overscroll-contain py-3 collapsed:[scrollbar-width:none]",
        // The names beside the icons would be cut off where they cannot be anchored.
        "collapsed:not-supports-[position-area:right]:overflow-visible",
        className,
      )}
      {...props}
    />
  );
}

export function SidebarFooter({ className, ...props }: DivProps) {
  return <div data-slot="sidebar-footer" className={cn("flex flex-col gap-0.5 p-3", className)} {...props} />;
}

export function SidebarGroup({ className, ...props }: DivProps) {
  return (
    <div
      data-slot="sidebar-group"
      className={cn("relative flex w-full min-w-0 flex-col px-3", className)}
      {...props}
    />
  );
}

export function SidebarSeparator({ className, ...props }: ComponentPropsWithoutRef<typeof Separator>) {
  return (
    <Separator
      data-slot="sidebar-separator"
      className={cn("mx-3 my-3 w-auto bg-sidebar-border", className)}
      {...props}
    />
  );
}

export function SidebarMenu({ className, ...props }: ComponentPropsWithoutRef<"ul">) {
  return (
    <ul
      data-slot="sidebar-menu"
      className={cn("flex w-full min-w-0 flex-col gap-0.5", className)}
      {...props}
    />
  );
}

export function SidebarMenuItem({ className, ...props }: ComponentPropsWithoutRef<"li">) {
  return (
    <li data-slot="sidebar-menu-item" className={cn("group/menu-item relative", className)} {...props} />
  );
}

type SidebarMenuButtonProps = ComponentPropsWithoutRef<"button"> & { asChild?: boolean };

/**
 * An icon and its name in a `<span>`; `aria-current="page"` marks the current entry. In a collapsed sidebar the name
 * appears beside the icon on hover and focus, as a tooltip does.
 */
export function SidebarMenuButton({ asChild = false, className, ...props }: SidebarMenuButtonProps) {
  const Comp = asChild ? Slot : "button";
  return (
    <Comp
      data-slot="sidebar-menu-button"
      className={cn(
        "group/menu-button relative flex h-9 w-full items-center gap-3 rounded-md px-3 text-left text-sm transition-colors",
        "hover:bg-sidebar-accent hover:text-sidebar-accent-foreground pointer-coarse:h-11",
        // The current entry has a bar at its start.
        "aria-[current=page]:bg-primary-surface aria-[current=page]:font-medium aria-[current=page]:text-sidebar-primary",
        "aria-[current=page]:before:absolute aria-[current=page]:before:inset-y-2 aria-[current=page]:before:left-0",
        "aria-[current=page]:before:w-0.5 aria-[current=page]:before:rounded-sm aria-[current=page]:before:bg-sidebar-primary",
        "forced-colors:aria-[current=page]:before:bg-[Highlight]",
        "collapsed:justify-center collapsed:px-0 [&>svg]:size-4 [&>svg]:shrink-0 collapsed:[&>svg]:size-5",
        // The name; in a collapsed sidebar it looks like a TooltipContent.
        "[anchor-name:--menu-button] [anchor-scope:--menu-button] [&>span]:truncate [&>span]:[position-anchor:--menu-button]",
        "collapsed:[&>span]:pointer-events-none collapsed:[&>span]:fixed collapsed:[&>span]:[position-area:right]",
        "collapsed:not-supports-[position-area:right]:[&>span]:absolute collapsed:not-supports-[position-area:right]:[&>span]:left-full",
        "collapsed:[&>span]:ml-2 collapsed:[&>span]:rounded-md collapsed:[&>span]:border collapsed:[&>span]:border-transparent",
        "collapsed:[&>span]:bg-foreground collapsed:[&>span]:px-2 collapsed:[&>span]:py-1 collapsed:[&>span]:text-xs",
        "collapsed:[&>span]:font-normal collapsed:[&>span]:text-background collapsed:hover:[&>span]:transition-opacity",
        "collapsed:not-hover:not-focus-visible:[&>span]:opacity-0",
        className,
      )}
      {...props}
    />
  );
}

/** A count at the end of a SidebarMenuButton; on the icon's corner in a collapsed sidebar. */
export function SidebarMenuBadge({ className, ...props }: DivProps) {
  return (
    <div
      data-slot="sidebar-menu-badge"
      className={cn(
        "ml-auto flex h-5 min-w-5 items-center justify-center rounded-sm bg-sidebar-accent px-1 text-2xs tabular-nums",
        "group-hover/menu-button:bg-background group-aria-[current=page]/menu-button:bg-background",
        "collapsed:absolute collapsed:-top-1 collapsed:-right-1.5 collapsed:h-4 collapsed:min-w-4 collapsed:rounded-full",
        "collapsed:bg-sidebar-primary! collapsed:text-sidebar-primary-foreground",
        className,
      )}
      {...props}
    />
  );
}
