/** The colours of the levels (specification, section 2); any other level is neutral. */
export const LEVEL_COLOURS: Readonly<Record<string, "info" | "warning" | "destructive">> = {
  INFO: "info",
  WARN: "warning",
  ERROR: "destructive",
};
