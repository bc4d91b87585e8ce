import { Link, type LinkProps } from "@remix-run/react";
import type { VariantProps } from "class-variance-authority";
import type { ComponentPropsWithoutRef } from "react";
import { cn } from "~/lib/utils";
import { buttonVariants } from "./button";

/** Needs an `aria-label` that names the list. */
export function Pagination({ className, ...props }: ComponentPropsWithoutRef<"nav">) {
  return <nav data-slot="pagination" className={cn("flex justify-end", className)} {...props} />;
}

export function PaginationContent({ className, ...props }: ComponentPropsWithoutRef<"ul">) {
  return (
    <ul
      data-slot="pagination-content"
      className={cn("flex flex-wrap items-center gap-2", className)}
      {...props}
    />
  );
}

export function PaginationItem(props: ComponentPropsWithoutRef<"li">) {
  return <li data-slot="pagination-item" {...props} />;
}

type PaginationLinkProps = LinkProps &
  Pick<VariantProps<typeof buttonVariants>, "size"> & { isActive?: boolean };

export function PaginationLink({ className, isActive, size, ...props }: PaginationLinkProps) {
  return (
    <Link
      aria-current={isActive ? "page" : undefined}
      data-slot="pagination-link"
      className={cn(buttonVariants({ variant: isActive ? "default" : "outline", size }), className)}
      {...props}
    />
  );
}
