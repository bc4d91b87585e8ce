import { clsx, type ClassValue } from "clsx";
import { createTailwindMerge } from "tailwind-merge";

/** Utilities that conflict whatever their value: "w-4" and "w-full". */
const PROPERTIES = [
  "size",
  "w",
  "h",
  "min-w",
  "min-h",
  "max-w",
  "max-h",
  "gap",
  "bg",
  "items",
  "justify",
  "self",
  "shadow",
  "animate",
  "rounded",
  ...["p", "m"].flatMap((name) => ["", "x", "y", "t", "r", "b", "l"].map((side) => name + side)),
];

/**
 * Merges only the classes that callers may override: tailwind-merge's own table costs each first visit 7 KB. A
 * missing property is found by the journey through every screen (tests/e2e/accessibility.spec.ts).
 */
const merge = createTailwindMerge(() => ({
  cacheSize: 200,
  theme: {},
  classGroups: {
    display: ["hidden", "block", "inline", "inline-block", "flex", "inline-flex", "grid", "contents"],
    position: ["static", "fixed", "absolute", "relative", "sticky"],
    flex: [{ flex: ["1", "auto", "none"] }],
    "font-size": [{ text: ["2xs", "xs", "sm", "base", "lg", "xl", "2xl", "3xl", "4xl", "5xl"] }],
    "text-flow": [{ text: ["left", "center", "right", "balance", "pretty", "nowrap"] }],
    "text-color": [{ text: [() => true] }],
    "font-weight": [{ font: ["normal", "medium", "semibold", "bold"] }],
    ...Object.fromEntries(PROPERTIES.map((name) => [name, [{ [name]: ["", () => true] }]])),
  },
  conflictingClassGroups: {
    size: ["w", "h"],
    p: ["px", "py", "pt", "pr", "pb", "pl"],
    px: ["pr", "pl"],
    py: ["pt", "pb"],
    m: ["mx", "my", "mt", "mr", "mb", "ml"],
    mx: ["mr", "ml"],
    my: ["mt", "mb"],
  },
  conflictingClassGroupModifiers: {},
  postfixLookupClassGroups: [],
  orderSensitiveModifiers: ["before", "after", "placeholder", "file", "backdrop"],
}));

/** Joins class names; of two conflicting Tailwind classes the later one wins, so that a caller can override. */
export function cn(...classes: ClassValue[]): string {
  return merge(clsx(classes));
}
