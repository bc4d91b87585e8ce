import { z } from "zod";
import { MESSAGE_FORMATS } from "./message-format";
import { textField } from "./parse-form";

/** The text of an email, as an operator writes it. */
export const messageField = (options: { required?: boolean } = {}) =>
  textField({ label: "the message", max: 20_000, singleLine: false, ...options });

/** The format of that text. */
export const formatField = () => z.enum(MESSAGE_FORMATS, { error: "Please choose one of the formats." });

/** Refuses a text with merge fields that it may not have. @param explain returns the sentence; undefined for none. */
export function refuseFields(
  field: ReturnType<typeof textField>,
  explain: (text: string) => string | undefined,
) {
  return field.superRefine((text, context) => {
    const message = explain(text);
    if (message !== undefined) context.addIssue({ code: "custom", message });
  });
}
