import { expect, it } from "vitest";
import { newId } from "~/services/service-deps";
import { formatSignupCursor, parseSignupCursor } from "./signup-cursor";

it("a cursor is read as it was written, with any of the forms", () => {
  const cursor = {
    "early-access": { position: 12, id: newId() },
    "updates-signup": { position: 0, id: newId() },
  };
  for (const one of [cursor, {}, { "contact-form": cursor["early-access"] }]) {
    const text = formatSignupCursor(one);
    expect(text).toMatch(/^[\w-]+$/);
    expect(parseSignupCursor(text)).toEqual(one);
  }
});

it.each([
  ["nothing", ""],
  ["no JSON", "abc"],
  ["an unknown form", toText({ newsletter: [1, newId()] })],
  ["a place before the first", toText({ "early-access": [-1, newId()] })],
  ["half a place", toText({ "early-access": [1.5, newId()] })],
  ["a place without an id", toText({ "early-access": [1, "\0"] })],
  ["a list", toText([])],
  ["another encoding", `${toText({})}=`],
])("%s is no cursor", (_, text) => expect(parseSignupCursor(text)).toBeUndefined());

function toText(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
