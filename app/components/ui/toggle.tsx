import { cva } from "class-variance-authority";

/** The look of a choice: a button with `aria-pressed`, or a link with `aria-current`. */
export const toggleVariants = cva(
  [
    "inline-flex items-center justify-center gap-2 rounded-md text-xs whitespace-nowrap text-muted-foreground transition-colors",
    "hover:text-foreground [&_svg]:pointer-events-none [&_svg]:shrink-0 [&_svg:not([class*='size-'])]:size-4",
    "forced-colors:aria-[current]:bg-[Highlight] forced-colors:aria-[current]:text-[HighlightText]",
    "forced-colors:aria-pressed:bg-[Highlight] forced-colors:aria-pressed:text-[HighlightText]",
    "forced-colors:aria-[current]:forced-color-adjust-none forced-colors:aria-pressed:forced-color-adjust-none",
  ],
  {
    variants: {
      variant: {
        default:
          "aria-[current]:bg-accent aria-[current]:text-accent-foreground aria-pressed:bg-accent aria-pressed:text-accent-foreground",
        outline: [
          "border bg-card hover:bg-muted",
          "aria-[current]:border-primary/50 aria-[current]:bg-primary-surface aria-[current]:font-medium aria-[current]:text-primary",
          "aria-pressed:border-primary/50 aria-pressed:bg-primary-surface aria-pressed:font-medium aria-pressed:text-primary",
        ],
      },
      size: {
        default: "h-8 min-w-8 px-2.5 pointer-coarse:h-11 pointer-coarse:min-w-11",
        sm: "h-7 min-w-7 px-1.5 pointer-coarse:h-11 pointer-coarse:min-w-11",
      },
    },
    defaultVariants: { variant: "default", size: "default" },
  },
);
