/** The mark, for all that is drawn outside the style sheet. public/favicon.svg repeats it (scripts/images/images.test.ts). */
export const mark = {
  viewBox: "2 2 20 20",
  strokeWidth: 2.8,
  /** The open arc, in the text's colour. */
  arc: "M15.6 4.1A8.6 8.6 0 1 0 15.6 19.9",
  /** The arc that faces it and the point they share, in the accent colour. */
  facingArc: "M19.2 8.2A8.6 8.6 0 0 1 19.2 15.8",
  point: { cx: 12.4, cy: 12, r: 2.4 },
} as const;

/** The background colours of app/tailwind.css. */
export const themeColors = {
  light: {
    background: "#fbfaf7",
    foreground: "#17181c",
    border: "#e5e2da",
    primary: "#3645d6",
  },
  dark: { background: "#121317" },
} as const;
