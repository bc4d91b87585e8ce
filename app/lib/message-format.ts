/** Plain text, or CommonMark without HTML and images. */
export const MESSAGE_FORMATS = ["text", "markdown"] as const;
export type MessageFormat = (typeof MESSAGE_FORMATS)[number];

/** Returns the format of this name; plain text for any other text. */
export const toMessageFormat = (name: string | undefined): MessageFormat =>
  MESSAGE_FORMATS.find((known) => known === name) ?? "text";
