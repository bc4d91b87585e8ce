import type { ReactNode } from "react";
import { cn } from "~/lib/class-names";

export function Head({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <th scope="col" className={cn("h-8 px-3 font-medium first:pl-4 last:pr-4", className)}>
      {children}
    </th>
  );
}

export function Cell({ className, children }: { className?: string; children: ReactNode }) {
  return <td className={cn("px-3 py-2 align-top first:pl-4 last:pr-4", className)}>{children}</td>;
}
