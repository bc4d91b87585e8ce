import { describe, expect, it } from "vitest";
import { createUnsubscribeTokens } from "~/services/suppressions/suppressions.server";
import { createInviteTokens } from "./invite-tokens.server";

const ID = "0192f3a4-5b6c-7d8e-9f00-112233445566";

describe("codes of invitations", () => {
  const tokens = createInviteTokens("a secret of the tests");
  const code = tokens.createToken({ id: ID, issue: 37 });

  it("hold the invitation and the number of its link, and are the same each time", () => {
    expect(tokens.readToken(code)).toEqual({ id: ID, issue: 37 });
    expect(code).toMatch(/^[\w.-]{62}$/);
    expect(createInviteTokens("a secret of the tests").createToken({ id: ID, issue: 37 })).toBe(code);
  });

  it("stay valid when the secret was changed", () => {
    expect(createInviteTokens("new", "a secret of the tests").readToken(code)).toEqual({ id: ID, issue: 37 });
  });

  it.each([
    ["of another secret", createInviteTokens("another").createToken({ id: ID, issue: 37 })],
    ["made to unsubscribe", createUnsubscribeTokens("a secret of the tests").createToken(`${ID}_11`)],
    ["of another link", code.replace("_11.", "_12.")],
    ["for another invitation", code.replace("0192", "0193")],
    ["with a suffix", `${code}.x`],
    ["of a test email", "test"],
    ["that are empty", ""],
  ])("are refused when %s", (_, forged) => {
    expect(tokens.readToken(forged)).toBeUndefined();
  });
});
