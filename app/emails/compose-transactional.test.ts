import { describe, expect, it } from "vitest";
import { hours } from "~/lib/durations";
import type { ConfirmationEmail } from "~/services/mail/email-parts";
import { composeConfirmationEmail } from "./compose-transactional";
import { brand } from "../../tests/factories/brand";

function compose(change: Partial<ConfirmationEmail> = {}) {
  return composeConfirmationEmail({
    address: "ada@example.test",
    sender: { name: "The team", address: "team@frontdesk.test" },
    messageId: "<1@frontdesk.test>",
    about: "updates-signup",
    confirmUrl: "https://frontdesk.test/updates/confirm/token",
    validForMs: hours(48),
    brandName: brand.name,
    ...change,
  });
}

describe("composeConfirmationEmail", () => {
  it("has one link in each part, with its lifetime", () => {
    const { text, html } = compose();
    expect(text).toContain("\nhttps://frontdesk.test/updates/confirm/token\n");
    expect(html.match(/href="([^"]+)"/g)).toEqual(['href="https://frontdesk.test/updates/confirm/token"']);
    expect(html).toContain(">Confirm this address</a>");
    for (const part of [text, html]) expect(part).toContain("within 48 hours");
  });

  it("has the reason it was sent, and says that it can be ignored", () => {
    const { text, subject } = compose();
    expect(subject).toBe(`Please confirm that you want news from ${brand.name}`);
    expect(text).toContain("because somebody entered ada@example.test on our page.");
    expect(text).toContain("you can ignore this email");
  });

  // R51
  it("has no list headers, and suppresses automatic replies", () => {
    expect(compose()).toMatchObject({ autoSubmitted: "auto-generated" });
    expect(compose().headers).toEqual({
      "X-Auto-Response-Suppress": "DR, RN, NRN, OOF, AutoReply",
    });
    expect(compose().to).toEqual({ name: "", address: "ada@example.test" });
  });

  // C18
  it("escapes the HTML, and keeps headers on one line", () => {
    const email = compose({
      address: "a&b'<i>@example.test",
      sender: { name: "The\r\nteam", address: "t@x.test" },
    });
    expect(email.html).toContain("a&amp;b&#39;&lt;i&gt;@example.test");
    expect(email.from.name).toBe("The team");
  });

  it.each(["javascript:alert(1)", "/updates/confirm/token", 'https://x.test/"'])(
    "refuses %s as its link",
    (url) => {
      expect(() => compose({ confirmUrl: url })).toThrow(TypeError);
    },
  );
});
