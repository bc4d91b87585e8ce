import { describe, expect, it } from "vitest";
import { editMarkdown, findMarkdownEdit, type MarkdownEdit } from "./markdown-edit";

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
    ["heading", "||\nHello", "## ||\nHello"],
    ["list", "|one\ntwo|", "|- one\n- two|"],
    ["list", "- o|ne\n- tw|o", "|one\ntwo|"],
    ["quote", "o|ne\n> tw|o", "|> one\n> > two|"],
    ["quote", "||", "> ||"],
  ] as const)("%s changes %j to %j", (kind, before, after) => {
    expect(edit(kind, before)).toBe(after);
  });
});

describe("findMarkdownEdit", () => {
  const press = (key: string, code: string, differing: object = {}) =>
    findMarkdownEdit({
      key,
      code,
      ctrlKey: true,
      metaKey: false,
      altKey: false,
      shiftKey: false,
      ...differing,
    });

  it.each([
    ["b", "KeyB", "bold"],
    ["B", "KeyB", "bold"],
    ["b", "KeyN", "bold"],
    ["и", "KeyB", "bold"],
    ["i", "KeyI", "italic"],
    ["k", "KeyK", "link"],
  ])("finds the edit of a letter by what %s at %s types", (key, code, edit) => {
    expect(press(key, code)).toBe(edit);
    expect(press(key, code, { ctrlKey: false, metaKey: true })).toBe(edit);
  });

  it.each([
    ["/", "Digit7", "heading"],
    ["8", "Digit8", "list"],
    [")", "Digit9", "quote"],
  ])("finds the edit of a digit by its place, where Shift types %s", (key, code, edit) => {
    expect(press(key, code, { shiftKey: true })).toBe(edit);
    expect(press(key, code)).toBeUndefined();
  });

  it("leaves copying and cutting to the browser where letters have other places", () => {
    expect(press("c", "KeyI")).toBeUndefined();
    expect(press("x", "KeyB")).toBeUndefined();
  });

  it.each([{ ctrlKey: false }, { metaKey: true }, { altKey: true }, { shiftKey: true }])(
    "finds none with %j",
    (differing) => expect(press("b", "KeyB", differing)).toBeUndefined(),
  );
});
