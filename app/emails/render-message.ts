import { escapeHtml } from "~/lib/escape-html";
import type { Block, Inline, List } from "./message-tree";

/*
 * The two parts of an email, written from one tree. Styles are inline, because some clients drop the head; the dark
 * colours can only be there (email-content.ts).
 */

const MARGIN = "margin:0 0 16px";
const MONOSPACE = "font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace";
const LINK = "color:#2a4bd0;text-decoration:underline;word-break:break-word";
const BUTTON =
  "display:inline-block;padding:11px 20px;border-radius:8px;background:#2a4bd0;color:#ffffff;text-decoration:none;font-weight:600";
const CODE = `padding:1px 5px;border-radius:4px;background:#f0f0ed;font-size:0.9em;${MONOSPACE}`;
const CODE_BLOCK = `${MARGIN};padding:12px 14px;border-radius:8px;background:#f0f0ed;font-size:14px;white-space:pre-wrap;${MONOSPACE}`;
const QUOTE = `${MARGIN};padding:0 0 0 14px;border-left:3px solid #dcdcd8;color:#5d5f66`;
const RULE = "margin:24px 0;border:0;border-top:1px solid #dcdcd8";
const LIST = "padding:0 0 0 24px";
/** Inside another list, whose items are near each other. */
const INNER_MARGIN = "margin:4px 0 0";
/** In pixels, by level; further levels are as the last one. */
const HEADING_SIZES = [24, 20, 17];

/** Renders blocks as HTML with inline styles. */
export function toHtml(blocks: readonly Block[]): string {
  return blocks.map((block) => blockToHtml(block)).join("\n");
}

function blockToHtml(block: Block): string {
  switch (block.type) {
    case "paragraph":
      return `<p style="${MARGIN}">${inlineToHtml(block.content)}</p>`;
    case "heading": {
      const tag = `h${block.level}`;
      const size = HEADING_SIZES[block.level - 1] ?? HEADING_SIZES.at(-1);
      const style = `margin:24px 0 8px;font-size:${size}px;line-height:1.3;font-weight:700`;
      return `<${tag} style="${style}">${inlineToHtml(block.content)}</${tag}>`;
    }
    case "button":
      return `<p style="${MARGIN}"><a class="button" href="${escapeHtml(block.href)}" style="${BUTTON}">${inlineToHtml(block.content)}</a></p>`;
    case "code":
      return `<pre class="code" style="${CODE_BLOCK}"><code>${escapeHtml(block.text)}</code></pre>`;
    case "quote":
      return `<blockquote class="quiet" style="${QUOTE}">\n${toHtml(block.blocks)}\n</blockquote>`;
    case "list":
      return listToHtml(block);
    case "rule":
      return `<hr class="quiet" style="${RULE}">`;
  }
}

function listToHtml({ start, isTight, items }: List, margin = MARGIN): string {
  const tag = start === undefined ? "ul" : "ol";
  const from = start === undefined || start === 1 ? "" : ` start="${start}"`;
  const rows = items.map((blocks) => {
    const content = blocks.map((block) => {
      if (block.type === "list") return listToHtml(block, INNER_MARGIN);
      return isTight && block.type === "paragraph" ? inlineToHtml(block.content) : blockToHtml(block);
    });
    return `<li style="margin:0 0 4px">${content.join("\n")}</li>`;
  });
  return `<${tag}${from} style="${margin};${LIST}">\n${rows.join("\n")}\n</${tag}>`;
}

function inlineToHtml(content: readonly Inline[]): string {
  return content.map((inline) => nodeToHtml(inline)).join("");
}

function nodeToHtml(inline: Inline): string {
  switch (inline.type) {
    case "text":
      return escapeHtml(inline.text);
    case "break":
      return "<br>\n";
    case "code":
      return `<code class="code" style="${CODE}">${escapeHtml(inline.text)}</code>`;
    case "strong":
      return `<strong>${inlineToHtml(inline.content)}</strong>`;
    case "emphasis":
      return `<em>${inlineToHtml(inline.content)}</em>`;
    case "link":
      return toHtmlLink(inline.href, inlineToHtml(inline.content));
  }
}

/** @param content escaped. */
export function toHtmlLink(href: string, content: string): string {
  return `<a href="${escapeHtml(href)}" style="${LINK}">${content}</a>`;
}

/** Longest line under a heading. */
const MAX_UNDERLINE = 60;

/** Renders blocks as the plain part: as somebody would type it. */
export function toPlainText(blocks: readonly Block[]): string {
  return blocks.map((block) => blockToText(block)).join("\n\n");
}

function blockToText(block: Block): string {
  switch (block.type) {
    case "paragraph":
      return inlineToText(block.content);
    case "heading": {
      const text = inlineToText(block.content);
      const line = (block.level === 1 ? "=" : "-").repeat(Math.min([...text].length, MAX_UNDERLINE));
      return `${text}\n${line}`;
    }
    case "button":
      return `${inlineToText(block.content)}:\n${block.href}`;
    case "code":
      return indent(block.text.replace(/\n$/, ""), "    ");
    case "quote":
      return indent(toPlainText(block.blocks), "> ", "> ");
    case "list":
      return listToText(block);
    case "rule":
      return "* * *";
  }
}

function listToText({ start, isTight, items }: List): string {
  const rows = items.map((blocks, at) => {
    const mark = start === undefined ? "- " : `${start + at}. `;
    const text = blocks.map((block) => blockToText(block)).join(isTight ? "\n" : "\n\n");
    return indent(text, mark, " ".repeat(mark.length));
  });
  return rows.join(isTight ? "\n" : "\n\n");
}

/** Puts `first` before the first line and `others` before each other one; an empty line gets no trailing space. */
function indent(text: string, first: string, others = first): string {
  return text
    .split("\n")
    .map((line, at) => ((at === 0 ? first : others) + line).trimEnd())
    .join("\n");
}

function inlineToText(content: readonly Inline[]): string {
  return content.map((inline) => nodeToText(inline)).join("");
}

function nodeToText(inline: Inline): string {
  switch (inline.type) {
    case "text":
    case "code":
      return inline.text;
    case "break":
      return "\n";
    case "strong":
      return `*${inlineToText(inline.content)}*`;
    case "emphasis":
      return `_${inlineToText(inline.content)}_`;
    case "link": {
      const text = inlineToText(inline.content);
      const target = inline.href.replace(/^mailto:/i, "");
      return text === target || isSameUrl(text, target) ? text : `${text} (${target})`;
    }
  }
}

function isSameUrl(text: string, target: string): boolean {
  return URL.canParse(text) && URL.canParse(target) && new URL(text).href === new URL(target).href;
}
