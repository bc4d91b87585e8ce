import type { ComponentPropsWithoutRef } from "react";
import { useTexts } from "./use-texts";

/** A link to another site, which leaves this page and what was typed in it open. */
export function NewTabLink({ children, ...props }: ComponentPropsWithoutRef<"a"> & { href: string }) {
  return (
    <a {...props} target="_blank" rel="noopener noreferrer">
      {children}
      <span className="sr-only"> {useTexts().links.newTab}</span>
    </a>
  );
}
