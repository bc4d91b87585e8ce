/** Texts that belong to every chart. */
export const chartTexts = {
  all: "All",
  keys: "Arrow keys move through the chart.",
  keysWithLink: "Arrow keys move through the chart; Enter shows what is behind a column.",
} as const;
