import { describe, expect, it } from "vitest";
import { canSeeAccessLinks, maskAccessLinks } from "./access-links";

describe("links that give access", () => {
  it.each([
    ["https://desk.example/unsubscribe/a1.b-c_d", "https://desk.example/unsubscribe/***"],
    [
      '<a href="https://desk.example/updates/confirm/x.y">Yes</a>',
      '<a href="https://desk.example/updates/confirm/***">Yes</a>',
    ],
    ["https://desk.example/confirm-email/a_b-c", "https://desk.example/confirm-email/***"],
    ["Join: https://desk.example/i/a_1.b-c", "Join: https://desk.example/i/***"],
    ["Open https://desk.example/invitation/abc. Now", "Open https://desk.example/invitation/*** Now"],
    [
      "List-Unsubscribe: <https://desk.example/unsubscribe/abc>",
      "List-Unsubscribe: <https://desk.example/unsubscribe/***>",
    ],
    ["https://desk.example/unsubscribe/x%2Ey?a=1", "https://desk.example/unsubscribe/***?a=1"],
    ["https://desk.example/unsubscribe and /why", "https://desk.example/unsubscribe and /why"],
  ])("of %s are masked", (text, masked) => {
    expect(maskAccessLinks(text)).toBe(masked);
  });

  it.each([
    ["a superadmin", { role: "superadmin", email: "s@example.com" } as const, true],
    ["the recipient", { role: "admin", email: "ada@example.com" } as const, true],
    ["another admin", { role: "admin", email: "grace@example.com" } as const, false],
  ])("are shown to %s: %j", (_, person, isShown) => {
    expect(canSeeAccessLinks(person, "Ada@example.com")).toBe(isShown);
  });
});
