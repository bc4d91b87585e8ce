/** What a button over a Markdown text does with the selection. */
export const MARKDOWN_EDITS = ["bold", "italic", "link", "heading", "list", "quote"] as const;
export type MarkdownEdit = (typeof MARKDOWN_EDITS)[number];

/** A replacement of `start` to `end` by `text`, after which `selection` is selected; in UTF-16 units. */
export interface TextChange {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly selection: readonly [start: number, end: number];
}

const AROUND = { bold: "**", italic: "_" } as const;
const BEFORE_LINES = { heading: "## ", list: "- ", quote: "> " } as const;
const NO_TARGET = "https://";

interface PressedKey {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

/** The key of each edit, beside Ctrl or the Command key. */
const KEYS: Readonly<Record<MarkdownEdit, { readonly code: string; readonly isShifted: boolean }>> = {
  bold: { code: "KeyB", isShifted: false },
  italic: { code: "KeyI", isShifted: false },
  link: { code: "KeyK", isShifted: false },
  heading: { code: "Digit7", isShifted: true },
  list: { code: "Digit8", isShifted: true },
  quote: { code: "Digit9", isShifted: true },
};

/**
 * Returns the edit that a keyboard event is for. A Latin letter is the one that the key types: layouts differ in its
 * place, and Ctrl+C must copy in all of them. Any other key is known by its place, because Shift changes a digit.
 */
export function findMarkdownEdit({
  key,
  code,
  ctrlKey,
  metaKey,
  altKey,
  shiftKey,
}: PressedKey): MarkdownEdit | undefined {
  if (ctrlKey === metaKey || altKey) return undefined;
  const pressed = /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : code;
  return MARKDOWN_EDITS.find((edit) => KEYS[edit].code === pressed && KEYS[edit].isShifted === shiftKey);
}

/** Returns the change that an edit makes; the same edit again takes it back. */
export function editMarkdown(edit: MarkdownEdit, value: string, start: number, end: number): TextChange {
  if (edit === "bold" || edit === "italic") return wrap(AROUND[edit], value, start, end);
  if (edit === "link") return toLink(value, start, end);
  return markLines(BEFORE_LINES[edit], value, start, end);
}

function wrap(mark: string, value: string, start: number, end: number): TextChange {
  const { length } = mark;
  const isWrapped = value.slice(start - length, start) === mark && value.slice(end, end + length) === mark;
  const text = value.slice(start, end);
  if (isWrapped) {
    const selection = [start - length, end - length] as const;
    return { start: start - length, end: end + length, text, selection };
  }
  return { start, end, text: mark + text + mark, selection: [start + length, end + length] };
}

/** Makes a link of the selection, and selects what is still to be typed. */
function toLink(value: string, start: number, end: number): TextChange {
  const text = value.slice(start, end);
  const isTarget = /^https?:\/\/\S+$/.test(text);
  const link = isTarget ? `[](${text})` : `[${text}](${NO_TARGET})`;
  if (isTarget || text === "") return { start, end, text: link, selection: [start + 1, start + 1] };
  const target = start + text.length + "[](".length;
  return { start, end, text: link, selection: [target, target + NO_TARGET.length] };
}

function markLines(mark: string, value: string, start: number, end: number): TextChange {
  // A search before the first character would begin at it.
  const first = start === 0 ? 0 : value.lastIndexOf("\n", start - 1) + 1;
  const next = value.indexOf("\n", end);
  const last = next === -1 ? value.length : next;
  const lines = value.slice(first, last).split("\n");
  const areMarked = lines.every((line) => line.startsWith(mark));
  const text = lines.map((line) => (areMarked ? line.slice(mark.length) : mark + line)).join("\n");
  const place = first + text.length;
  return { start: first, end: last, text, selection: lines.length > 1 ? [first, place] : [place, place] };
}
