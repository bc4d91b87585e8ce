import type { MarkdownEdit } from "~/lib/markdown-edit";
import type { MergeField } from "~/lib/merge-fields";
import type { MessageFormat } from "~/lib/message-format";
import { formatCount, grouped } from "~/lib/format-number";

interface Edit {
  readonly name: string;
  /** As aria-keyshortcuts has them. */
  readonly keys: string;
}

const edits: Record<MarkdownEdit, Edit> = {
  bold: { name: "Bold", keys: "Control+B" },
  italic: { name: "Italic", keys: "Control+I" },
  link: { name: "Link", keys: "Control+K" },
  heading: { name: "Heading", keys: "Control+Shift+7" },
  list: { name: "List", keys: "Control+Shift+8" },
  quote: { name: "Quote", keys: "Control+Shift+9" },
};

const formats: Record<MessageFormat, string> = { text: "Plain text", markdown: "Markdown" };

const hints: Record<MessageFormat, string> = {
  text: "A blank line starts a paragraph, and links become links.",
  markdown:
    '**bold**, _italic_, [a link](https://…), # heading, - list, > quote; a URL is a link. [Join](https://… "button") alone on a line is a button.',
};

const fields: Record<MergeField, string> = {
  first_name: "The first name, or all of it after a title",
  name: "The name as typed; “there” for somebody without one",
  company: "The company",
  role: "The role: developer, manager, executive or other",
  email: "The address that the email goes to",
  unsubscribe_link: "The link to unsubscribe, which the end of the email has too",
  invite_link: "The link of the recipient’s own invitation, which makes this email a wave",
};

/** The default that each field is inserted with, to be changed. */
const fieldDefaults: Record<MergeField, string> = {
  first_name: "|there",
  name: "",
  company: "|your company",
  role: "|your role",
  email: "",
  unsubscribe_link: "",
  invite_link: "",
};

/** Texts of the fields in which an email is written. */
export const writingMessages = {
  format: "Format",
  formats,
  hints,
  toolbar: "Formatting",
  edits,
  fieldsTitle: "Fields that each recipient fills",
  insert: "Insert",
  fields,
  fieldDefaults,
  length: (words: number, kilobytes: number) =>
    `${formatCount(words, "word")}, ${grouped(kilobytes)} KB with its design.`,
  readers: "Whose email is shown",
  samples: { first: "First recipient", nameless: "Without a name" },
  nameless: "As somebody who left everything but the address empty will see it.",
} as const;
