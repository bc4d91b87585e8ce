import type { RawAnswer } from "../../server/fixtures/raw-http";

/**
 * Scores a site served over https as MDN's HTTP Observatory does, restated from its release 1.4.8
 * (https://github.com/mdn/mdn-http-observatory): each test gives the points of the first rule that holds. Left
 * out is what it learns by other requests: redirects of plain http, the browsers' HSTS list with its 5 points,
 * CORS.
 */
interface Rule {
  readonly points: number;
  readonly when: string;
  readonly holds: (answer: Scored) => boolean;
}

/** The parts of a response that the rules read. */
interface Scored {
  readonly header: (name: string) => string;
  /** The policy's directives: name -> sources, in lower case; undefined when there is none or it is malformed. */
  readonly policy: ReadonlyMap<string, readonly string[]> | undefined;
  readonly isHtml: boolean;
  /** The tags of scripts that are fetched. */
  readonly scripts: readonly string[];
}

/** A+ begins at 100; 130 is the maximum without a cookie and the browsers' own list of hosts. */
export const WANTED = 130;
const SIX_MONTHS = 15_768_000;
const BROAD = ["ftp:", "http:", "https:", "*", "http://*", "http://*.*", "https://*", "https://*.*"];
const INLINE = ["'unsafe-inline'", "data:"];

const sources = ({ policy }: Scored, ...names: string[]): readonly string[] => {
  const name = [...names, "default-src"].find((each) => policy?.has(each));
  return name === undefined ? ["*"] : (policy?.get(name) ?? []);
};
const hasAny = (list: readonly string[], unwanted: readonly string[]) =>
  list.some((source) => unwanted.includes(source));
const isPlain = (source: string) => /^(?:http|ftp):/.test(source);
const passive = (answer: Scored) => [...sources(answer, "img-src"), ...sources(answer, "media-src")];
const active = ({ policy }: Scored) =>
  [...(policy ?? [])].flatMap(([name, list]) => (/^(?:img|media)-src$/.test(name) ? [] : list));

/** A nonce or a hash makes browsers pass over 'unsafe-inline', and with 'strict-dynamic' over hosts too. */
function effective(list: readonly string[]): readonly string[] {
  if (!list.some((source) => /^'(?:nonce|sha(?:256|384|512))-/.test(source))) return list;
  const isStrict = list.includes("'strict-dynamic'");
  return list.filter((source) => source !== "'unsafe-inline'" && !(isStrict && !source.startsWith("'")));
}
const scripts = (answer: Scored) => effective(sources(answer, "script-src"));
const styles = (answer: Scored) => effective(sources(answer, "style-src"));

const getCookie = ({ header }: Scored) => header("set-cookie");
const isSecure = (answer: Scored) => /;\s*secure\b/i.test(getCookie(answer));
const sameSite = (answer: Scored) => /;\s*samesite=(\w*)/i.exec(getCookie(answer))?.[1]?.toLowerCase();
const isForeign = (tag: string) => /\ssrc="(?:https?:)?\/\//.test(tag);
const hasIntegrity = (tag: string) => /\sintegrity="/.test(tag);
const referrer = ({ header }: Scored) => header("referrer-policy").split(",").at(-1)?.trim() ?? "";
const maxAge = ({ header }: Scored) => /max-age=(\d+)/.exec(header("strict-transport-security"))?.[1];

const isAlwaysHttps = (answer: Scored) => Number(maxAge(answer) ?? 0) >= SIX_MONTHS;

const rule = (points: number, when: string, holds: Rule["holds"]): Rule => ({ points, when, holds });
const otherwise = (points: number, when: string) => rule(points, when, () => true);

const OBSERVATORY: Readonly<Record<string, readonly Rule[]>> = {
  "content security policy": [
    rule(-25, "none, or one that cannot be read", ({ policy }) => policy === undefined),
    rule(-20, "scripts inline, as data or from anywhere; objects from anywhere", (answer) => {
      const isBroad = hasAny(scripts(answer), [...BROAD, ...INLINE]);
      return isBroad || hasAny(sources(answer, "object-src"), BROAD);
    }),
    rule(-20, "anything but pictures over plain http", (answer) => active(answer).some(isPlain)),
    rule(-10, "eval", (answer) => hasAny([...scripts(answer), ...styles(answer)], ["'unsafe-eval'"])),
    rule(-10, "pictures over plain http", (answer) => passive(answer).some(isPlain)),
    rule(0, "styles inline, as data or from anywhere", (answer) =>
      hasAny(styles(answer), [...BROAD, ...INLINE]),
    ),
    rule(10, "default-src 'none'", ({ policy }) => policy?.get("default-src")?.join() === "'none'"),
    otherwise(5, "nothing unsafe"),
  ],
  // There only those with "login" or "sess" in their name are sessions; here each one is.
  cookies: [
    rule(0, "none", (answer) => getCookie(answer) === ""),
    rule(-40, "a session over plain http", (answer) => !isSecure(answer) && !isAlwaysHttps(answer)),
    rule(-30, "a session that scripts can read", (answer) => !/;\s*httponly\b/i.test(getCookie(answer))),
    rule(-20, "a SameSite that is none", (answer) => {
      const site = sameSite(answer);
      return site !== undefined && !(site === "none" ? isSecure(answer) : /^(?:lax|strict)$/.test(site));
    }),
    rule(-10, "a session over plain http, but for strict transport security", (answer) => !isSecure(answer)),
    rule(0, "no SameSite", (answer) => sameSite(answer) === undefined),
    otherwise(5, "Secure, HttpOnly and SameSite"),
  ],
  "referrer policy": [
    rule(5, "whole addresses stay here", (answer) =>
      /^(?:no-referrer|same-origin|strict-origin|strict-origin-when-cross-origin)$/.test(referrer(answer)),
    ),
    rule(0, "none", (answer) => referrer(answer) === ""),
    otherwise(-5, "whole addresses go elsewhere"),
  ],
  "strict transport security": [
    rule(-20, "none, or none that can be read", (answer) => maxAge(answer) === undefined),
    rule(-10, "less than six months", (answer) => Number(maxAge(answer)) < SIX_MONTHS),
    otherwise(0, "six months or more"),
  ],
  "subresource integrity": [
    rule(0, "no page, or one without scripts", ({ isHtml, scripts }) => !isHtml || scripts.length === 0),
    rule(-50, "scripts from elsewhere over plain http", ({ scripts }) =>
      scripts.some((tag) => isForeign(tag) && !tag.includes('src="https:') && !hasIntegrity(tag)),
    ),
    rule(-5, "scripts from elsewhere without a hash", ({ scripts }) =>
      scripts.some((tag) => isForeign(tag) && !hasIntegrity(tag)),
    ),
    rule(5, "scripts with their hash", ({ scripts }) => scripts.some(hasIntegrity)),
    otherwise(0, "scripts of our own"),
  ],
  "content type": [
    rule(0, "nosniff", ({ header }) => header("x-content-type-options") === "nosniff"),
    otherwise(-5, "browsers may guess"),
  ],
  framing: [
    rule(5, "by the policy", ({ policy }) => policy?.has("frame-ancestors") === true),
    rule(0, "by a header", ({ header }) => /^(?:deny|sameorigin)$/i.test(header("x-frame-options"))),
    otherwise(-20, "anybody may"),
  ],
  "cross-origin resource policy": [
    rule(10, "for us alone", ({ header }) =>
      /^same-(?:origin|site)$/.test(header("cross-origin-resource-policy")),
    ),
    rule(0, "none, or for all", ({ header }) =>
      /^(?:|cross-origin)$/.test(header("cross-origin-resource-policy")),
    ),
    otherwise(-5, "one that cannot be read"),
  ],
};

interface Score {
  readonly score: number;
  /** Each test: what was found, and its points. */
  readonly parts: Readonly<Record<string, string>>;
}

/** Starts at 100; bonus points count only from a score of 90. */
export function getScore(answer: Pick<RawAnswer, "headers" | "body">): Score {
  const scored = parseResponse(answer);
  const found = Object.entries(OBSERVATORY).map(([test, rules]) => {
    const { points, when } = rules.find(({ holds }) => holds(scored)) ?? { points: NaN, when: "" };
    return { test, points, when };
  });
  const sum = (points: readonly number[]) => points.reduce((total, each) => total + each, 0);
  const lost = sum(found.map(({ points }) => Math.min(points, 0)));
  const won = sum(found.map(({ points }) => Math.max(points, 0)));
  const parts = Object.fromEntries(found.map(({ test, points, when }) => [test, `${when}: ${points}`]));
  return { score: 100 + lost + (100 + lost >= 90 ? won : 0), parts };
}

function parseResponse({ headers, body }: Pick<RawAnswer, "headers" | "body">): Scored {
  const header = (name: string) => headers[name] ?? "";
  return {
    header,
    policy: parsePolicy(header("content-security-policy")),
    isHtml: header("content-type").startsWith("text/html"),
    scripts: [...body.matchAll(/<script\b[^>]*\ssrc=[^>]*>/g)].map(([tag]) => tag),
  };
}

/** A directive named twice makes the policy malformed, except those for reports. */
function parsePolicy(text: string): Map<string, string[]> | undefined {
  const directives = text.split(";").flatMap((piece) => {
    const [name, ...list] = piece.trim().toLowerCase().split(/\s+/);
    return name ? [{ name, list }] : [];
  });
  const names = directives.map(({ name }) => name).filter((name) => !/^report-/.test(name));
  if (directives.length === 0 || new Set(names).size < names.length) return undefined;
  return new Map(directives.map(({ name, list }) => [name, list]));
}
