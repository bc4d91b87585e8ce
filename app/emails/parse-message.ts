import MarkdownIt, { type Token } from "markdown-it";
import type { MessageFormat } from "~/lib/message-format";
import {
  fillMarks,
  getOnlyField,
  hasLinkField,
  isLinkField,
  markFields,
  type FieldValues,
  type MarkedText,
} from "~/lib/merge-fields";
import { stripSentenceEnd } from "~/services/mail/sentence-end";
import { toLines, type Block, type Inline } from "./message-tree";

/** A message as a tree whose texts and targets still have marks in place of the fields. */
export interface ParsedMessage extends Pick<MarkedText, "marks"> {
  readonly blocks: readonly Block[];
}

/** Parses what an operator wrote, with its fields as marks: no recipient's value is ever parsed. */
export function parseMessage(message: string, format: MessageFormat): ParsedMessage {
  const { text, marks } = markFields(message.replace(/\r\n?/g, "\n"));
  return { marks, blocks: format === "markdown" ? parseMarkdown(text) : parsePlainText(text) };
}

/** Splits a text into paragraphs at blank lines, and finds its links. */
function parsePlainText(text: string): Block[] {
  const paragraphs = text.trim().split(/\n[^\S\n]*\n\s*/);
  return paragraphs.map((paragraph) => ({ type: "paragraph", content: findLinks(paragraph) }));
}

/** Matches a URL in a text, up to white space or a character of HTML. */
const URL_IN_TEXT = /(https?:\/\/[^\s<>"{}]+)/i;

/** Makes links of the URLs in a text. */
function findLinks(text: string): Inline[] {
  return text.split(URL_IN_TEXT).flatMap((part, index) => {
    if (index % 2 === 0) return toLines(part);
    const href = stripSentenceEnd(part);
    return [toAutolink(href), ...toLines(part.slice(href.length))];
  });
}

const toAutolink = (href: string): Inline => ({
  type: "link",
  href,
  content: [{ type: "text", text: href }],
});

/**
 * CommonMark without HTML; nested deeper than anybody writes, because deeper content is dropped. `findLinks` makes links
 * of URLs, as everywhere else: linkify-it would also make some of "example.com", and has been slow.
 */
const parser = new MarkdownIt("commonmark", { html: false, maxNesting: 100 });
const encodeTarget = parser.normalizeLink.bind(parser);
// Targets are checked and encoded when their fields are filled.
parser.normalizeLink = (target) => target;
parser.validateLink = () => true;

/** Title of a link alone on its line that makes it a button: `[Join](https://example.com "button")`. */
const BUTTON = "button";

function parseMarkdown(text: string): Block[] {
  return toBlocks(parser.parse(text, {}));
}

/** Converts the tokens of blocks, which are in a row, to a tree. */
function toBlocks(tokens: readonly Token[]): Block[] {
  return splitIntoGroups(tokens).flatMap(([first, ...rest]): Block | Block[] => {
    const inside = rest.slice(0, -1);
    switch (first?.type) {
      case "paragraph_open":
        return toParagraphs(toInlines(inside[0]?.children ?? []));
      case "heading_open":
        return {
          type: "heading",
          level: Number(first.tag.slice(1)),
          content: toInlines(inside[0]?.children ?? []),
        };
      case "blockquote_open":
        return { type: "quote", blocks: toBlocks(inside) };
      case "bullet_list_open":
      case "ordered_list_open": {
        const isOrdered = first.type === "ordered_list_open";
        return {
          type: "list",
          start: isOrdered ? Number(first.attrGet("start") ?? 1) : undefined,
          isTight: inside.some((token) => token.level === first.level + 2 && token.hidden),
          items: splitIntoGroups(inside).map(([, ...item]) => toBlocks(item.slice(0, -1))),
        };
      }
      case "fence":
      case "code_block":
        return { type: "code", text: first.content };
      case "hr":
        return { type: "rule" };
      default:
        return [];
    }
  });
}

/** Splits tokens into those of each node: an opening token with everything up to its closing one, or a single token. */
function splitIntoGroups(tokens: readonly Token[]): Token[][] {
  const groups: Token[][] = [];
  let depth = 0;
  for (const token of tokens) {
    if (depth === 0) groups.push([]);
    groups.at(-1)?.push(token);
    depth += token.nesting;
  }
  return groups;
}

function toInlines(tokens: readonly Token[], { isInLink = false } = {}): Inline[] {
  return splitIntoGroups(tokens).flatMap(([first, ...rest]): Inline | Inline[] => {
    const inside = () => toInlines(rest.slice(0, -1), { isInLink: isInLink || first?.type === "link_open" });
    switch (first?.type) {
      case "text":
        return isInLink ? toLines(first.content) : findLinks(first.content);
      case "code_inline":
        return { type: "code", text: first.content };
      case "softbreak":
      case "hardbreak":
        return { type: "break" };
      case "strong_open":
        return { type: "strong", content: inside() };
      case "em_open":
        return { type: "emphasis", content: inside() };
      case "link_open":
        return {
          type: "link",
          href: String(first.attrGet("href") ?? ""),
          isButton: first.attrGet("title") === BUTTON,
          content: inside(),
        };
      // No images: what stands for one is its text.
      case "image":
        return toInlines(first.children ?? [], { isInLink });
      default:
        return [];
    }
  });
}

/** Makes a button of each line that is a link with this title alone, and paragraphs of the lines between. */
function toParagraphs(content: readonly Inline[]): Block[] {
  const blocks: Block[] = [];
  let lines: Inline[][] = [];
  const endParagraph = () => {
    if (lines.length > 0) {
      const joined = lines.flatMap((line, at): Inline[] => (at === 0 ? line : [{ type: "break" }, ...line]));
      blocks.push({ type: "paragraph", content: joined });
    }
    lines = [];
  };
  for (const line of splitIntoLines(content)) {
    const [only, ...others] = line;
    if (only?.type === "link" && only.isButton && others.length === 0) {
      endParagraph();
      blocks.push({ type: "button", href: only.href, content: only.content });
    } else lines.push(line);
  }
  endParagraph();
  return blocks;
}

function splitIntoLines(content: readonly Inline[]): Inline[][] {
  const lines: Inline[][] = [[]];
  for (const inline of content) {
    if (inline.type === "break") lines.push([]);
    else lines.at(-1)?.push(inline);
  }
  return lines;
}

/** Fills the fields of a parsed message for one recipient: texts as text, targets encoded. */
export function fillMessage({ blocks, marks }: ParsedMessage, values: FieldValues): Block[] {
  return blocks.flatMap((block) => fillBlock(block));

  function fillBlock(block: Block): Block | Block[] {
    switch (block.type) {
      case "paragraph":
      case "heading":
        return { ...block, content: fillInlines(block.content) };
      case "button": {
        const href = fillTarget(block.href);
        const content = toLabel(fillInlines(block.content, { isInLink: true }), href);
        return href === undefined ? { type: "paragraph", content } : { ...block, href, content };
      }
      case "quote":
        return { ...block, blocks: block.blocks.flatMap(fillBlock) };
      case "list":
        return { ...block, items: block.items.map((item) => item.flatMap(fillBlock)) };
      case "code":
        return { ...block, text: fillText(block.text) };
      case "rule":
        return block;
    }
  }

  function fillInlines(content: readonly Inline[], { isInLink = false } = {}): Inline[] {
    return content.flatMap((inline): Inline | Inline[] => {
      switch (inline.type) {
        case "text":
          return isInLink ? { type: "text", text: fillText(inline.text) } : fillTextWithLinks(inline.text);
        case "code":
          return { ...inline, text: fillText(inline.text) };
        case "break":
          return inline;
        case "strong":
        case "emphasis":
          return { ...inline, content: fillInlines(inline.content, { isInLink }) };
        case "link": {
          const href = fillTarget(inline.href);
          const [only] = inline.content;
          const isAutolink =
            only?.type === "text" && only.text === inline.href && inline.content.length === 1;
          const filled = fillInlines(inline.content, { isInLink: true });
          if (href === undefined) return filled;
          // A field that is a whole URL is not encoded.
          const isEncoded = isAutolink && !isLinkField(getOnlyField(inline.href, { marks }));
          const shown = isEncoded ? [{ type: "text", text: fillEncoded(inline.href) } as const] : filled;
          return { ...inline, href, content: toLabel(shown, href) };
        }
      }
    });
  }

  function fillText(text: string): string {
    return fillMarks(text, { marks }, values);
  }

  /** A field whose value is a whole URL is a link in the text, too. */
  function fillTextWithLinks(text: string): Inline[] {
    if (!hasLinkField(text, { marks })) return [{ type: "text", text: fillText(text) }];
    const inlines: Inline[] = [];
    for (const character of text) {
      const field = getOnlyField(character, { marks });
      const last = inlines.at(-1);
      if (isLinkField(field)) inlines.push(toAutolink(values[field]));
      else if (last?.type === "text")
        inlines[inlines.length - 1] = { type: "text", text: last.text + fillText(character) };
      else inlines.push({ type: "text", text: fillText(character) });
    }
    return inlines;
  }

  /** @returns undefined for what is no link to http, https or mailto. */
  function fillTarget(marked: string): string | undefined {
    const field = getOnlyField(marked, { marks });
    if (isLinkField(field)) return values[field];
    // Part of a longer target, it would lead nowhere.
    if (hasLinkField(marked, { marks })) return undefined;
    return toTarget(fillEncoded(marked));
  }

  function fillEncoded(marked: string): string {
    return fillMarks(marked, { marks }, values, (value) => encodeURIComponent(value.toWellFormed()));
  }
}

/** Returns what a link shows: its target where it has no text, because nobody could see or hear it. */
function toLabel(content: readonly Inline[], href: string | undefined): readonly Inline[] {
  return href === undefined || hasText(content) ? content : [{ type: "text", text: href }];
}

function hasText(content: readonly Inline[]): boolean {
  return content.some((inline) => {
    if (inline.type === "break") return false;
    return "text" in inline ? inline.text.trim() !== "" : hasText(inline.content);
  });
}

/** Encodes a target. @returns undefined for what is no URL of http, https or mailto. */
function toTarget(written: string): string | undefined {
  const target = encodeTarget(written);
  return isTarget(target) ? target : undefined;
}

function isTarget(target: string): boolean {
  if (!URL.canParse(target)) return false;
  return /^https?:\/\/[!#-;=?-~]+$/i.test(target) || /^mailto:[!#-;=?-~]+$/i.test(target);
}
