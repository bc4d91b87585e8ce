import type { ReactNode } from "react";
import { cn } from "~/lib/utils";

type CodeBlockProps = {
  label: string;
  /** `whitespace-pre-wrap` for texts whose lines may be broken. */
  className?: string;
  children: ReactNode;
};

/** Text as a program wrote or reads it. Wide lines scroll, also by keyboard. */
export function CodeBlock({ label, className, children }: CodeBlockProps) {
  return (
    <pre
      tabIndex={0}
      role="region"
      aria-label={label}
      className={cn("overflow-x-auto rounded-md border bg-muted p-3 font-mono text-xs leading-5", className)}
    >
      {children}
    </pre>
  );
}
