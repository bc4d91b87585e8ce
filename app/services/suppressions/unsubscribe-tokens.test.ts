import { describe, expect, it } from "vitest";
import { createUnsubscribeTokens } from "./suppressions.server";

const ID = "0192f3a4-5b6c-7d8e-9f00-112233445566";

describe("unsubscribe tokens", () => {
  const tokens = createUnsubscribeTokens("a secret of the tests");
  const token = tokens.createToken(ID);

  it("hold the id of a delivery, fit into a URL and are the same each time", () => {
    expect(tokens.readSubject(token)).toBe(ID);
    expect(token).toMatch(/^[\w.-]{59}$/);
    expect(createUnsubscribeTokens("a secret of the tests").createToken(ID)).toBe(token);
  });

  it.each([
    ["of another secret", createUnsubscribeTokens("another").createToken(ID)],
    ["for another delivery", token.replace("0192", "0193")],
    ["with a changed code", token.slice(0, -2) + (token.endsWith("AA") ? "BB" : "AA")],
    ["cut short", token.slice(0, -4)],
    ["with a suffix", `${token}.x`],
    ["without a code", ID],
    ["that is empty", ""],
    ["of dots", "..."],
  ])("are refused when %s", (_, forged) => {
    expect(tokens.readSubject(forged)).toBeUndefined();
  });
});
