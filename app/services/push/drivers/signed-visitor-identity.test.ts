import { describe, expect, it } from "vitest";
import { hours } from "~/lib/durations";
import { SignedVisitorIdentity } from "./signed-visitor-identity.server";

function identity(secret = "a secret of the tests", previousSecret?: string) {
  let now = Date.UTC(2026, 10, 21);
  let made = 0;
  const newId = () => `visitor-${++made}`;
  const visitors = new SignedVisitorIdentity({ secret, previousSecret, clock: () => now, newId });
  return { visitors, forward: (ms: number) => void (now += ms) };
}

describe("a visitor without an account", () => {
  it("is new without a refresh token, and the same one with it", () => {
    const { visitors } = identity();
    const first = visitors.signIn(undefined);
    expect(first.uid).toBe("visitor-1");
    expect(visitors.signIn(first.refreshToken).uid).toBe("visitor-1");
    expect(visitors.signIn(undefined).uid).toBe("visitor-2");
  });

  // C28
  it("has an ID token that is valid for exactly an hour", async () => {
    const { visitors, forward } = identity();
    const { idToken, refreshToken, expiresAt } = visitors.signIn(undefined);
    forward(hours(1) - 1);
    expect(await visitors.verify(idToken)).toBe("visitor-1");
    forward(1);
    expect(await visitors.verify(idToken)).toBeUndefined();
    const renewed = visitors.signIn(refreshToken);
    expect(renewed.expiresAt).toBe(expiresAt + hours(1));
    expect(await visitors.verify(renewed.idToken)).toBe("visitor-1");
  });

  it("stays the same one after a change of the secret, with the previous one", async () => {
    const first = identity("the old one").visitors.signIn(undefined);
    const { visitors } = identity("the new one", "the old one");
    expect(await visitors.verify(first.idToken)).toBe("visitor-1");
    const again = visitors.signIn(first.refreshToken);
    expect(again.uid).toBe("visitor-1");
    expect(await identity("the old one").visitors.verify(again.idToken)).toBeUndefined();
  });

  // C28
  it("is not verified by a forged token, one of another secret or a refresh token", async () => {
    const { visitors } = identity();
    const { idToken, refreshToken } = visitors.signIn(undefined);
    const later = idToken.replace(/_\d+/, (end) => `_${Number(end.slice(1)) + 1}`);
    const foreign = identity("another").visitors.signIn(undefined);
    for (const token of ["", "x", later, refreshToken, foreign.idToken, `${idToken}.x`]) {
      expect(await visitors.verify(token)).toBeUndefined();
    }
    expect(visitors.signIn(idToken).uid).toBe("visitor-2");
    expect(visitors.signIn(foreign.refreshToken).uid).toBe("visitor-3");
  });
});
