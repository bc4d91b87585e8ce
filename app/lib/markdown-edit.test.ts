import { describe, expect, it } from "vitest";
import { editMarkdown, type MarkdownEdit } from "./markdown-edit";

/** Edits a text whose selection stands between two bars. */
function edit(kind: MarkdownEdit, marked: string): string {
  const start = marked.indexOf("|");
  const end = marked.lastIndexOf("|") - 1;
  const value = marked.replaceAll("|", "");
  const change = editMarkdown(kind, value, start, end);
  const changed = value.slice(0, change.start) + change.text + value.slice(change.end);
  const [from, to] = change.selection;
  return `${changed.slice(0, from)}|${changed.slice(from, to)}|${changed.slice(to)}`;
}

describe("editMarkdown", () => {
  it.each([
    ["bold", "a |word| b", "a **|word|** b"],
    ["bold", "a **|word|** b", "a |word| b"],
    ["italic", "||", "_||_"],
    ["italic", "_||_", "||"],
    ["link", "see |our page|.", "see [our page](|https://|)."],
    ["link", "see |https://x.test|.", "see [||](https://x.test)."],
    ["link", "see ||.", "see [||](https://)."],
    ["heading", "one\ntw||o\nthree", "one\n## two||\nthree"],
    ["heading", "## tw||o", "two||"],
    ["list", "|one\ntwo|", "|- one\n- two|"],
    ["list", "- o|ne\n- tw|o", "|one\ntwo|"],
    ["quote", "o|ne\n> tw|o", "|> one\n> > two|"],
    ["quote", "||", "> ||"],
  ] as const)("%s changes %j to %j", (kind, before, after) => {
    expect(edit(kind, before)).toBe(after);
  });
});
