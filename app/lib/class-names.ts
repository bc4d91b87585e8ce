import { clsx, type ClassValue } from "clsx";
import { extendTailwindMerge } from "tailwind-merge";

/** Our theme's own names (app/tailwind.css) where tailwind-merge could not tell what they are from their shape. */
const merge = extendTailwindMerge({
  extend: { theme: { shadow: ["float"], animate: ["enter", "fade", "spin"] } },
});

/** Joins class names; where two Tailwind classes disagree the later one wins, so that a caller can override. */
export function cn(...classes: ClassValue[]): string {
  return merge(clsx(classes));
}
