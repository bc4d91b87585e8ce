import { expect, it } from "vitest";
import { cn } from "./class-names";

it.each([
  ["a size replaces width and height", "size-4 shrink-0 w-2 h-2 size-6", "shrink-0 size-6"],
  ["a padding replaces that of its sides, and not the other way round", "px-3 pt-1 p-4 pb-2", "p-4 pb-2"],
  [
    "a font size leaves the colour alone",
    "text-base text-muted-foreground text-lg",
    "text-muted-foreground text-lg",
  ],
  ["a colour leaves the font size alone", "text-sm text-foreground text-primary", "text-sm text-primary"],
  [
    "hidden replaces inline-flex, and each width its own",
    "inline-flex hidden md:inline-flex",
    "hidden md:inline-flex",
  ],
  [
    "a state's class replaces that of the same state alone",
    "bg-surface hover:bg-muted hover:bg-primary",
    "bg-surface hover:bg-primary",
  ],
  [
    "classes that nobody overrides stay",
    "border border-input focus-visible:border-ring",
    "border border-input focus-visible:border-ring",
  ],
  ["values in brackets are values", "max-w-[14ch] max-w-lg w-[calc(100%-2rem)] w-full", "max-w-lg w-full"],
])("%s", (_, input, expected) => {
  expect(cn(input)).toBe(expected);
});
