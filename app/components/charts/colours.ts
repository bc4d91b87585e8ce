/** The colours of charts, by what they mean. Class names are written out because Tailwind's build finds only complete ones. */
export const COLOURS = {
  "early-access": { fill: "fill-chart-1", background: "bg-chart-1" },
  "contact-form": { fill: "fill-chart-2", background: "bg-chart-2" },
  "updates-signup": { fill: "fill-chart-3", background: "bg-chart-3" },
  info: { fill: "fill-info", background: "bg-info" },
  success: { fill: "fill-success", background: "bg-success" },
  warning: { fill: "fill-warning", background: "bg-warning" },
  destructive: { fill: "fill-destructive", background: "bg-destructive" },
  neutral: { fill: "fill-muted-foreground", background: "bg-muted-foreground" },
  /** What is still to come. */
  rest: { fill: "fill-border", background: "bg-border" },
} as const;

export type Colour = keyof typeof COLOURS;

/** One part of a stack: its colour always has a name beside it. */
export interface Series {
  readonly name: string;
  readonly colour: Colour;
}

/** The colours of lines. */
export const LINE_COLOURS = {
  "early-access": "stroke-chart-1",
  "contact-form": "stroke-chart-2",
  "updates-signup": "stroke-chart-3",
  primary: "stroke-primary",
  /** The highest values beside the means. */
  peak: "stroke-primary/40",
} as const;

export type LineColour = keyof typeof LINE_COLOURS;
