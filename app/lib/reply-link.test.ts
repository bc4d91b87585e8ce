import { expect, it } from "vitest";
import { createReplyLink } from "./reply-link";

const REPLY = {
  to: "ada@example.com",
  subject: "Re: Your inquiry",
  intro: "You wrote:",
  quoted: "Is it open?",
};
const create = (differing: Partial<typeof REPLY> = {}) => createReplyLink({ ...REPLY, ...differing });
/** Reads a link as a mail program does. */
function read(link: string) {
  const [, address = "", query = ""] = /^mailto:([^?]*)\?(.*)$/.exec(link) ?? [];
  const fields = query.split("&").map((field) => field.split("=").map(decodeURIComponent));
  return { to: decodeURIComponent(address), ...Object.fromEntries(fields) };
}

it("a reply has the address, the subject and the quote below an empty line", () => {
  const body = "\r\n\r\nYou wrote:\r\n> Is it open?";
  expect(read(create())).toEqual({ to: REPLY.to, subject: REPLY.subject, body });
  expect(create()).toMatch(/^mailto:ada@example\.com\?/);
});

it("every line is quoted, and nothing typed becomes a part of the link", () => {
  const quoted = "a&bcc=eve@example.com\n\n50 % # ? + \ud800 <b>";
  const to = "o'neil+a&b?c%@example.com";
  const link = create({ quoted, to });
  expect(link).toMatch(/^[\w\-.!~*'()%@:?&=]+$/);
  expect(read(link)).toEqual({
    to,
    subject: REPLY.subject,
    body: "\r\n\r\nYou wrote:\r\n> a&bcc=eve@example.com\r\n> \r\n> 50 % # ? + \ufffd <b>",
  });
});

it.each(["a", "長", "👩‍👩‍👧‍👦", "é\n"])("a long quote of %j is cut between characters", (character) => {
  const link = create({ quoted: character.repeat(5000) });
  expect(link.length).toBeLessThanOrEqual(2000);
  expect(link.length).toBeGreaterThan(1800);
  const { body } = read(link) as unknown as { body: string };
  const quote = body.slice(body.indexOf("> ") + 2, -" […]".length);
  expect(body.endsWith(" […]")).toBe(true);
  const typed = quote.replaceAll("\r\n> ", "\n").replaceAll("\r\n", "\n");
  expect(character.repeat(5000).startsWith(typed)).toBe(true);
  expect(typed.length % character.length).toBeLessThan(2);
});

it("a link that is full without the quote has none of it", () => {
  expect(create({ to: `${"é".repeat(400)}@example.com` })).toMatch(/%5D$/);
});
