import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { appendLines, withLogStore } from "../factories/logs";
import { unescapeHtml } from "./form-html";
import { FORM_PATHS, submit } from "./visitors";
import { useServer, useSuperadmin } from "./use-server";

/** Cuts the first piece of the markup with this begin and end. */
function cut(html: string, begin: string, end: string): string {
  const from = html.indexOf(begin);
  const to = html.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`There is no ${begin} ... ${end}`);
  return html.slice(from, to + end.length);
}
const getSection = (html: string, id: string) => cut(html, `<section id="${id}"`, "</section>");
/** Returns the text, with a bar between elements. */
/** A class may hold a ">". */
const getText = (html: string) => html.replace(/<(?:"[^"]*"|[^>"])+>/g, "|").replace(/\|+/g, "|");

const server = useServer();
const superadmin = useSuperadmin(server);
const read = async (path: string) => unescapeHtml(await superadmin.read(path));

describe("the landing page", () => {
  let html: string;
  beforeAll(async () => {
    html = await read("/");
  });

  it("describes a suite for teams that is in development", () => {
    expect(getText(cut(html, "<h1", "</p>"))).toContain("for a team’s meetings, tasks and chat");
    expect(getText(cut(html, '<section aria-labelledby="building-heading"', "</section>"))).toContain(
      "Confer is in development. The teams who sign up early see it first",
    );
  });

  it("says that the beta is about six months away", () => {
    expect(getText(getSection(html, "faqs"))).toContain("The beta is about six months away.");
  });

  it.each([
    [
      "AI meeting insights, which record, transcribe and summarise meetings",
      "|AI meeting insights|Records, transcribes and summarises the meeting",
    ],
    ["smart task management: assign, track, complete", "|Smart task management|Assign, track and complete."],
    ["integrated chat", "|Integrated chat|A thread for every piece of work"],
    [
      "a multi-tenant framework with a secure environment for each company",
      "|Multi-tenant framework|Each company works in a secure environment of its own",
    ],
  ])("claims %s", (_, claim) => {
    expect(getText(getSection(html, "features"))).toContain(claim);
  });

  it("has a hero with an intro, a button to learn about the application and an image", () => {
    const hero = cut(html, "<h1", "</figure>");
    expect(hero).toMatch(/<p [^>]*>Confer is one calm place for a team’s meetings, tasks and chat\. /);
    expect(hero).toMatch(/<a href="#features"[^>]*>See how Confer works</);
    expect(hero).toMatch(/<figure[^>]*><div role="img" aria-label="A planning meeting in Confer: /);
  });

  it.each([
    ["a list of promises", "What we promise", "ol", "li"],
    ["a list of core values", "Our core values", "dl", "dt"],
  ])("has %s in the about section", (_, title, list, item) => {
    const about = getSection(html, "about");
    const entries = cut(about.slice(about.indexOf(`${title}</h3><${list} `)), `<${list} `, `</${list}>`);
    expect(entries.match(new RegExp(`<${item}[ >]`, "g"))).toHaveLength(4);
  });

  it.each([
    ["6+", "months to beta"],
    ["100%", "commitment"],
    ["10+", "advanced features"],
  ])("calls the figure %s %s", (figure, unit) => {
    const building = cut(html, '<section aria-labelledby="building-heading"', "</section>");
    expect(getText(building)).toContain(`|${unit}|${figure}|`);
  });

  it("gives each of its three questions an id of its own", () => {
    const ids = [...getSection(html, "faqs").matchAll(/<details id="(faq-\w+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(3);
    expect(getSection(html, "faqs").match(/<details/g)).toHaveLength(3);
  });

  it("has a copyright line for 2025 in its footer", () => {
    expect(getText(cut(html, "<footer", "</footer>"))).toContain("|© 2025 Confer. All rights reserved.|");
  });
});

it("the back office has the logo in its top bar", async () => {
  const bar = cut(await read("/admin/sessions"), "<header", "</header>");
  expect(bar).toMatch(/<a [^>]*href="\/admin\/dashboard"[^>]*><span[^>]*><svg.*?<\/svg>Confer<\/span>/);
});

describe("the dashboard", () => {
  let html: string;
  beforeAll(async () => {
    // Three, two and one submission.
    for (const [index, path] of FORM_PATHS.entries()) {
      for (const email of ["ada@example.com", "bo@example.com", "cy@example.com"].slice(index)) {
        await submit(server, path, { email, name: email });
      }
    }
    html = await read("/admin/dashboard");
  });

  it.each([
    ["the card Early Access Signups with its label Total Signups", "|Early Access Signups|3|Total Signups|"],
    [
      "the card Contact Form Submissions with its label Total Submissions",
      "|Contact Form Submissions|1|Total Submissions|",
    ],
    [
      "the card Updates Subscribers with its label Total Subscribers",
      "|Updates Subscribers|2|Total Subscribers|",
    ],
  ])("has %s, an icon and a value", (_, text) => {
    const items = html.match(/<li[ >].*?<\/li>/gs) ?? [];
    expect(items.find((item) => getText(item).startsWith(text))).toMatch(/<svg.*<\/svg>/s);
  });

  it.each([
    [
      "early access has the columns Name, Email, Company, Role, Timestamp",
      "early-access",
      "|Name|Email|Company|Role|Timestamp|",
    ],
    [
      "contact has the columns Timestamp, Full Name, Email, Inquiry Type, Message",
      "contact-form",
      "|Timestamp|Full Name|Email|Inquiry Type|Message|",
    ],
    ["updates has the columns Timestamp, Name, Email", "updates-signup", "|Timestamp|Name|Email|"],
  ])("the table of %s", (_, kind, headers) => {
    expect(getText(cut(getSection(html, kind), "<thead", "</thead>"))).toBe(headers);
  });
});

/** Reads red, green and blue of a theme colour, light and dark. */
function readColors(token: string): number[][] {
  const css = readFileSync("app/tailwind.css", "utf8");
  const [, ...both] = new RegExp(`--color-${token}: light-dark\\(#(\\w{6}), #(\\w{6})\\)`).exec(css) ?? [];
  return both.map((hex) => [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16)));
}

type Colour = (red: number, green: number, blue: number) => boolean;

describe("the logs", () => {
  const isBlue: Colour = (red, green, blue) => blue > green && green > red;
  // Brown is a dark orange.
  const isOrange: Colour = (red, green, blue) =>
    red >= 190 && green - blue > (red - blue) / 4.2 && green - blue < (red - blue) * 0.7;
  const isRed: Colour = (red, green, blue) => red - green > 4 * Math.abs(green - blue);
  const isGray: Colour = (...parts) => Math.max(...parts) - Math.min(...parts) < 16;
  const LEVELS = ["INFO", "WARN", "ERROR", "NOTICE"];
  let html: string;
  beforeAll(async () => {
    const lines = LEVELS.map((level) => `${new Date().toISOString()} [${level}] said`);
    await withLogStore(server.dataDir, (store) => appendLines(store, lines));
    html = await read("/admin/logs");
  });
  const getGroup = (level: string) => cut(html, `aria-labelledby="level-${level}"`, "</ul>");

  it.each<[string, string, string, Colour]>([
    ["INFO is blue", "INFO", "info", isBlue],
    ["WARN is orange", "WARN", "warning", isOrange],
    ["ERROR is red", "ERROR", "destructive", isRed],
    ["an unknown level is gray", "NOTICE", "muted-foreground", isGray],
  ])("the header of %s", (_, level, token, isColour) => {
    const header = /<div data-slot="card-header" class="([^"]*)"/.exec(getGroup(level))?.[1]?.split(" ");
    expect(header).toContain(`text-${token}`);
    expect(readColors(token)).toHaveLength(2);
    for (const [red = 0, green = 0, blue = 0] of readColors(token)) {
      expect([token, isColour(red, green, blue)]).toEqual([token, true]);
    }
  });

  it("have a usage from 70 % in yellow, with a dark text", () => {
    const isYellow: Colour = (red, green, blue) => red >= 230 && green > red * 0.75 && blue < red / 4;
    expect(readColors("caution").map(([red = 0, green = 0, blue = 0]) => isYellow(red, green, blue))).toEqual(
      [true, true],
    );
    expect(readFileSync("app/tailwind.css", "utf8")).toContain("--color-caution-foreground: #17181c;");
  });

  it("shade every second row of a table and of a list", () => {
    const group = unescapeHtml(getGroup("ERROR"));
    expect(group).toMatch(/<tbody [^/]*\[&>tr\]:even:bg-muted\/50[ "]/);
    expect(group).toMatch(/<ul [^/]*\[&>li\]:even:bg-muted\/50[ "]/);
  });

  it("are a list below the theme's sm and a table from there on", () => {
    expect(getGroup("ERROR")).toMatch(/<table [^>]*class="[^"]* hidden [^"]*sm:table"/);
    expect(getGroup("ERROR")).toMatch(/<ul class="[^"]* sm:hidden /);
  });
});
