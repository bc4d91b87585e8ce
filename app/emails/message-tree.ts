/** The content of an email as a tree: its HTML and its plain part are written from the same one (render-message.ts). */

export type Inline =
  | { readonly type: "text" | "code"; readonly text: string }
  | { readonly type: "break" }
  | { readonly type: "strong" | "emphasis"; readonly content: readonly Inline[] }
  | Link;

/** `href` is a plain URL of http, https or mailto, except before its fields are filled. */
interface Link {
  readonly type: "link";
  readonly href: string;
  /** Alone on its line it becomes a button. */
  readonly isButton?: boolean;
  readonly content: readonly Inline[];
}

export type Block =
  | { readonly type: "paragraph"; readonly content: readonly Inline[] }
  | { readonly type: "heading"; readonly level: number; readonly content: readonly Inline[] }
  | { readonly type: "button"; readonly href: string; readonly content: readonly Inline[] }
  | { readonly type: "code"; readonly text: string }
  | { readonly type: "quote"; readonly blocks: readonly Block[] }
  | List
  | { readonly type: "rule" };

export interface List {
  readonly type: "list";
  /** Number of the first item; undefined for a list of bullets. */
  readonly start?: number | undefined;
  /** A tight list has no space between its items. */
  readonly isTight: boolean;
  readonly items: readonly (readonly Block[])[];
}

/** Makes a paragraph of plain text; a line break in it is one in the email. */
export function toParagraph(text: string): Block {
  return { type: "paragraph", content: toLines(text) };
}

/** Makes a link that the HTML shows as a button. @throws TypeError when `url` is no plain http(s) URL. */
export function toButton(url: string, label: string): Block {
  checkPlainUrl(url);
  return { type: "button", href: url, content: [{ type: "text", text: label }] };
}

/** Makes inline content of plain text. */
export function toLines(text: string): Inline[] {
  return text
    .split("\n")
    .flatMap((line, at): Inline[] => [
      ...(at === 0 ? [] : [{ type: "break" } as const]),
      ...(line === "" ? [] : [{ type: "text", text: line } as const]),
    ]);
}

/** @throws TypeError for anything but a plain http(s) URL, such as one that would end a header or an attribute. */
export function checkPlainUrl(url: string): void {
  if (!/^https?:\/\/[!#-;=?-~]+$/.test(url)) throw new TypeError("A link must be a plain http or https URL");
}
