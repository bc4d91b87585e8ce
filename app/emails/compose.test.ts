import { describe, expect, it } from "vitest";
import type { OutreachContent, OutreachDelivery } from "~/services/mail/email-parts";
import {
  getCampaignFields,
  invites,
  listFieldsWithoutDefault,
  listUnknownMergeFields,
  toFirstName,
} from "~/lib/merge-fields";
import { composeOutreachEmails } from "./compose";
import { brand } from "../../tests/factories/brand";
import { measureCpuMs } from "../../tests/factories/cpu-time";

type Change = Partial<
  OutreachContent & OutreachDelivery & Record<"name" | "company" | "role" | "postalAddress", string>
>;

function compose({ name = "Ada", company = "", role = "", ...change }: Change = {}) {
  const content = {
    title: "News for {{name}}",
    message: "Hello {{name}},\n\nwe are open.",
    format: "text",
    brandName: brand.name,
    ...change,
  } as const;
  return composeOutreachEmails(content)({
    recipient: { name, company, role, address: "ada@example.test" },
    sender: { name: "The team", address: "team@frontdesk.test" },
    messageId: "<1@frontdesk.test>",
    unsubscribeUrl: "https://frontdesk.test/unsubscribe/token?a=1&b=2",
    ...change,
  });
}
/** Returns the message's part of the HTML, without the surrounding page. */
const getBody = (html: string) =>
  html.slice(html.indexOf('<p style="margin:0 0 16px'), html.indexOf('<p class="quiet"'));
const named = (name: string) => compose({ name });

describe("composeOutreachEmails", () => {
  it("merges the recipient's name into the title and the message", () => {
    const email = compose({ message: "Hello {{name}} and {{ name }}." });
    expect(email.subject).toBe("News for Ada");
    expect(email.text).toMatch(/^Hello Ada and Ada\.\n/);
    expect(email.html).toContain("Hello Ada and Ada.");
  });

  it("greets a nameless recipient with 'there'", () => {
    expect(named("  ").subject).toBe("News for there");
    expect(named("").text).toMatch(/^Hello there,/);
  });

  // C42
  it.each(["You won http://evil.test", "evil.test/x", "evil。test", "a@evil.test", "javascript:evil"])(
    "greets nobody by the name %s, since the form is public: not in the subject, the text or the HTML",
    (name) => {
      const { subject, text, html, to } = named(name);
      expect(subject).toBe("News for there");
      expect(text).toMatch(/^Hello there,/);
      expect(text + html).not.toContain("evil");
      expect(to.name).toBe("");
    },
  );

  // C42
  it("omits such a name from an operator's link too", () => {
    const email = compose({ message: "https://x.test/?for={{name}}", name: "evil.test/x" });
    expect(email.text).toMatch(/^https:\/\/x\.test\/\?for=there\n/);
  });

  // C42
  it("turns no text of the operator round by a name", () => {
    const { subject, text, to } = named("Ada\u202e \u2067\u200fByron");
    expect(subject).toBe("News for Ada \u200fByron");
    expect(text).toMatch(/^Hello Ada \u200fByron,/);
    expect(to.name).toBe("Ada \u200fByron");
  });

  it("keeps a replacement pattern or a merge field in a name as text", () => {
    expect(named("$& {{name}} $1").subject).toBe("News for $& {{name}} $1");
  });

  it("shortens an endless name without splitting a character", () => {
    expect(named("\u{1F600}".repeat(500)).to.name).toBe("\u{1F600}".repeat(100));
  });

  it("accepts a name with an unpaired surrogate, also in a link", () => {
    const { text } = compose({ message: "https://x.test/{{name}}", name: "A\ud800" });
    expect(text).toContain("https://x.test/A%EF%BF%BD");
  });

  it("has the sender's postal address in the footer, on one line, if there is one", () => {
    const email = compose({ postalAddress: "Desk & Co,\n1 High Street" });
    expect(email.text).toMatch(/\nDesk & Co, 1 High Street\n$/);
    expect(email.html).toContain("<br>Desk &amp; Co, 1 High Street</p>");
    expect(compose({ postalAddress: "" })).toEqual(compose());
  });

  it("leaves unknown merge fields as they were written", () => {
    const email = compose({ message: "Hi {{nmae}} of {{compnay}}" });
    expect(email.text).toContain("Hi {{nmae}} of {{compnay}}");
    expect(email.html).toContain("Hi {{nmae}} of {{compnay}}");
  });

  // C18
  it("collapses line breaks, so that the subject and the names are one line each", () => {
    const email = compose({
      title: "Hi\r\nBcc: e@x.test\u2028{{name}}",
      name: "Ada\r\nCc: Bo\0",
      sender: { name: "The\nteam", address: "team@frontdesk.test" },
    });
    expect(email.subject).toBe("Hi Bcc: e@x.test Ada Cc: Bo");
    expect(email.to.name).toBe("Ada Cc: Bo");
    expect(email.from.name).toBe("The team");
  });

  it("escapes everything that was typed into the HTML", () => {
    const email = compose({
      title: '<b>"Sale"</b> for {{name}}',
      message: "<img src=x onerror=alert(1)> & 'you', {{name}}",
      name: '<script>"x"</script>',
    });
    expect(email.html).not.toMatch(/<script>|<img|<b>/);
    expect(email.html).toContain(
      "&lt;img src=x onerror=alert(1)&gt; &amp; &#39;you&#39;, &lt;script&gt;&quot;x&quot;&lt;/script&gt;",
    );
    expect(email.html).toContain("<title>&lt;b&gt;&quot;Sale&quot;&lt;/b&gt; for &lt;script&gt;");
    expect(email.subject).toBe('<b>"Sale"</b> for <script>"x"</script>');
    expect(email.text).toContain("<img src=x onerror=alert(1)> & 'you', <script>\"x\"</script>");
  });

  it("makes paragraphs of blank lines and line breaks of single ones", () => {
    const { html, text } = compose({ message: "\r\none\r\ntwo\r\n \t\r\n\r\nthree\n\n" });
    expect(getBody(html).match(/<p /g)).toHaveLength(2);
    expect(html).toContain("one<br>\ntwo</p>");
    expect(text).toMatch(/^one\ntwo\n\nthree\n\n-/);
  });

  it.each([
    ["see https://x.test/a?b=1&c=2.", "https://x.test/a?b=1&amp;c=2", "."],
    ["(at http://x.test/a_(b))!", "http://x.test/a_(b)", ")!"],
    ["HTTPS://X.test/, then", "HTTPS://X.test/", ", then"],
    ["https://x.test/it's", "https://x.test/it&#39;s", ""],
    ["<https://x.test/>", "https://x.test/", "&gt;"],
    ['"https://x.test/a"', "https://x.test/a", "&quot;"],
    ["https://x.test/))))", "https://x.test/", "))))"],
  ])("links %s without the sentence around it", (message, url, after) => {
    const html = getBody(compose({ message }).html);
    expect(html).toMatch(/<a href=/);
    expect(html).toContain(`<a href="${url}" `);
    expect(html).toContain(`>${url}</a>${after}</p>`);
  });

  it.each(["javascript:alert(1)", "ftp://x.test", "http://", "https://.", "www.x.test", "mailto:a@x.test"])(
    "does not link %s",
    (message) => {
      expect(getBody(compose({ message }).html)).not.toContain("<a ");
    },
  );

  it("encodes a name inside a link, so that it stays one link", () => {
    const email = compose({ message: "https://x.test/?for={{ name }}&x=1", name: 'A "b" <c>&d' });
    const url = "https://x.test/?for=A%20%22b%22%20%3Cc%3E%26d&x=1";
    expect(email.text).toContain(url);
    expect(email.html).toContain(`href="${url.replace("&x", "&amp;x")}"`);
  });

  it("has the reason it was sent and a visible unsubscribe link in both parts", () => {
    const { text, html } = compose();
    expect(text).toMatch(/\n-+\nYou get this because ada@example\.test asked to hear from /);
    expect(text).toContain("\nUnsubscribe: https://frontdesk.test/unsubscribe/token?a=1&b=2\n");
    expect(html).toContain(
      `asked to hear from ${brand.name}.<br><a href="https://frontdesk.test/unsubscribe/token?a=1&amp;b=2"`,
    );
    expect(html).toContain(">Unsubscribe</a>");
  });

  // C20, R51
  it("has the headers of one-click unsubscribing and of bulk emails", () => {
    expect(compose()).toMatchObject({ autoSubmitted: "auto-generated" });
    expect(compose().headers).toEqual({
      "X-Auto-Response-Suppress": "DR, RN, NRN, OOF, AutoReply",
      Precedence: "bulk",
      "List-Unsubscribe": "<https://frontdesk.test/unsubscribe/token?a=1&b=2>",
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    });
  });

  it.each([
    "javascript:alert(1)",
    "https://x.test/>\r\nBcc: e@x.test",
    "https://x.test/<a>",
    "/unsubscribe/token",
    'https://x.test/"',
  ])("refuses %s as the unsubscribe link", (unsubscribeUrl) => {
    expect(() => compose({ unsubscribeUrl })).toThrow(TypeError);
  });

  it("is an English page for light, dark and narrow screens", () => {
    const { html } = compose();
    expect(html).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(html).toContain('name="color-scheme" content="light dark"');
    expect(html).toContain("prefers-color-scheme: dark");
    expect(html).toContain("max-width:600px");
    expect(html).not.toContain("<table");
  });

  it("addresses the email and keeps its Message-ID", () => {
    expect(compose()).toMatchObject({
      messageId: "<1@frontdesk.test>",
      from: { name: "The team", address: "team@frontdesk.test" },
      to: { name: "Ada", address: "ada@example.test" },
    });
  });

  it("composes a very long message with hostile punctuation quickly", () => {
    const message = `${"https://x.test/".padEnd(10_000, ")")} ${"{{name ".repeat(5_000)} ${"\n ".repeat(10_000)}`;
    expect(measureCpuMs(() => compose({ message }))).toBeLessThan(500);
  });
});

describe("listUnknownMergeFields", () => {
  it("lists each unknown field once, in order", () => {
    expect(
      listUnknownMergeFields(
        "{{name}} {{ name|x }} {{nmae}} {{ compnay|x }} {{nmae}} {{}} {single} {{Name}}",
      ),
    ).toEqual(["nmae", "compnay", "", "Name"]);
  });
});

describe("the link of an invitation", () => {
  it("is a field of campaigns alone, while invitations are on", () => {
    const text = "Come in: {{ invite_link }}";
    expect([invites(text), invites("Come in: {{name}}")]).toEqual([true, false]);
    expect(listUnknownMergeFields(text)).toEqual(["invite_link"]);
    expect(listUnknownMergeFields(text, getCampaignFields(false))).toEqual(["invite_link"]);
    expect(listUnknownMergeFields(text, getCampaignFields(true))).toEqual([]);
  });
});

describe("listFieldsWithoutDefault", () => {
  it("lists each field that says nothing to some, once", () => {
    const text =
      "{{name}} {{first_name}} {{company|yours}} {{role| }} {{email}} {{unsubscribe_link}} {{first_name}}";
    expect(listFieldsWithoutDefault(text)).toEqual(["first_name", "role"]);
  });
});

describe("toFirstName", () => {
  it.each([
    ["Ada Byron", "Ada"],
    ["  Ada   Byron", "Ada"],
    ["Ada", "Ada"],
    ["Dr. Ada Byron", "Dr. Ada Byron"],
    ["Mrs Byron", "Mrs Byron"],
    ["A. Byron", "A. Byron"],
    ["J Byron", "J Byron"],
    ["Žižek", "Žižek"],
    ["O\u2019Neill-Smith", "O\u2019Neill-Smith"],
    ["Mr your account is locked call us", ""],
    ["Dr. 0800 123456", ""],
    ["Your_account_is_locked", ""],
    ["a".repeat(41), ""],
    ["", ""],
  ])("greets %j as %j", (name, first) => {
    expect(toFirstName(name)).toBe(first);
  });
});
