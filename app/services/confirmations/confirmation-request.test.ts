import { describe, expect, it } from "vitest";
import { createUnsubscribeTokens } from "~/services/suppressions/suppressions.server";
import { createConfirmationTokens } from "./confirmation-request.server";

const request = { id: "0192f3a4-5b6c-7d8e-9f00-112233445566", requested_at: Date.UTC(2026, 10, 21) };

describe("confirmation tokens", () => {
  const tokens = createConfirmationTokens("a secret of the tests");
  const token = tokens.createToken(request);

  it("hold their request and its time, and fit into a URL", () => {
    expect(tokens.readToken(token)).toEqual(request);
    expect(token).toMatch(/^[\w.-]{68}$/);
  });

  it.each([
    ["of another secret", createConfirmationTokens("another").createToken(request)],
    ["made to unsubscribe", createUnsubscribeTokens("a secret of the tests").createToken(request.id)],
    ["with a later time", token.replace(/_\w+/, `_${(request.requested_at + 1).toString(36)}`)],
    ["for another request", token.replace("0192", "0193")],
    ["with a suffix", `${token}.x`],
    ["that is empty", ""],
  ])("are refused when %s", (_, forged) => {
    expect(tokens.readToken(forged)).toBeUndefined();
  });
});
