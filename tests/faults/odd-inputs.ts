/**
 * Generates valid requests with texts that no person types (hardening R37): control characters, lone surrogates,
 * non-characters, endless texts and numbers. The same seed generates the same requests.
 */

import { globSync, readFileSync } from "node:fs";
import { createSubscription } from "../factories/push";
import { signReport } from "../factories/signed-report";
import { pickOne } from "~/lib/random";
import type { Random } from "../seeded-random";

/** The part of JSON schema that the API's document uses. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}

/** A call of the API: an operation of its document. */
export interface Operation {
  readonly name: string;
  readonly method: string;
  /** With `{name}` for each parameter. */
  readonly path: string;
  readonly query: readonly string[];
  readonly body: Schema | undefined;
}

export interface Visitor {
  readonly uid: string;
  readonly idToken: string;
}

/** Credentials and addresses with which requests reach the database. */
export interface Inside {
  readonly operations: readonly Operation[];
  /** Paths of pages, with "x" for each parameter. */
  readonly pages: readonly string[];
  /** Ids of existing rows, and other texts that appear in addresses. */
  readonly known: readonly string[];
  readonly cookie: string;
  readonly tokens: readonly string[];
  readonly visitors: readonly Visitor[];
  readonly bounceSecret: string;
  /** The prefix of devices' endpoints. */
  readonly pushService: string;
}

/** Every parameter that a page reads from its URL or a form sends, with those of lists' filters and of Remix. */
export const PARAMETERS = [
  ...listNamesInCode(),
  "action",
  "choice",
  "form",
  "limit",
  "mail",
  "outcome",
  "past",
  "sort",
  "to",
  "who",
  "index",
  "_routes",
  "no-such-name",
];

function listNamesInCode(): string[] {
  const sources = globSync("app/{routes,components}/**/*.{ts,tsx}").map((file) => readFileSync(file, "utf8"));
  const names = sources
    .join("\n")
    .matchAll(/\b(?:search|searchParams)\.get(?:All)?\("([\w-]+)"|\bname="([\w-]+)"/g);
  return [...new Set(Array.from(names, ([, parameter, field]) => parameter ?? field ?? ""))].sort();
}

/** A NUL more often than others, which PostgreSQL refuses in text. */
const ODD_CHARACTERS = Array.from(
  "\0\0\0\x01\x08\t\n\r\x1b\x7f\x80\x85\x9f\ud800 \udfff\ufffe\uffff\ufeff\u202e\u2028\u00ad\ud83d\ude00\u{10ffff}İ%'\\",
);
export const ODD_TEXTS = [
  "",
  " ",
  "-1",
  "0",
  "1e999",
  "NaN",
  "9223372036854775808",
  "99999999999999999999",
  "0x10",
  "1.5",
  "+1",
  "0000-00-00",
  "9999-12-31",
  "275760-09-14",
  "-000001-01-01",
  "2026-02-30",
  "2026-11-21T00:00:00+99:99",

  "__proto__",
  "constructor",
  "[object Object]",
  "null",
  "{}",
  "[]",
  "%",
  "_",
  "' or 1=1 --",
  "a".repeat(900),
];
const ODD_BYTES = Array.from('\x80\x9f\xad\xff\t;,="\0');
const HEADERS = [
  "User-Agent",
  "X-Forwarded-For",
  "Idempotency-Key",
  "Authorization",
  "Cookie",
  "Content-Type",
  "Referer",
  "X-Signature",
  "If-None-Match",
  "Accept",
  "Accept-Language",
  "Accept-Encoding",
  "X-Request-Id",
];

export function oddRequest(random: Random, inside: Inside) {
  const pick = <T>(list: readonly T[]): T => pickOne(random, list);
  const chance = (share: number) => random() < share;
  const repeated = (most: number) => Array.from({ length: Math.floor(random() * (most + 1)) });

  /** Returns an odd text, or inserts something odd into this one. */
  const odd = (text: string): string => {
    if (chance(0.3)) return pick(ODD_TEXTS);
    const at = pick([0, Math.floor(text.length / 2), text.length]);
    return text.slice(0, at) + (chance(0.3) ? "\0" : pick(ODD_CHARACTERS)) + text.slice(at);
  };
  const known = () => pick(inside.known);
  const parameter = () => encodeURIComponent((chance(0.6) ? odd(known()) : known()).toWellFormed());

  const query = (names: readonly string[]) => {
    if (names.length === 0) return "";
    const pairs = repeated(4).map(() => `${pick(names)}=${chance(0.05) ? "%ED%A0%80" : parameter()}`);
    return pairs.length > 0 ? `?${pairs.join("&")}` : "";
  };

  const sample = (schema: Schema): unknown => {
    const choices = schema.oneOf ?? schema.anyOf;
    if (choices) return sample(pick(choices));
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return pick(schema.enum);
    const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
    if (type === "array") return [sample(schema.items ?? {})];
    if (type === "boolean") return chance(0.5);
    if (type === "integer" || type === "number") return 1;
    if (type !== "object") return sampleText(schema.format);
    const isWhole = chance(0.5);
    return Object.fromEntries(
      Object.entries(schema.properties ?? {})
        .filter(([name]) => isWhole || schema.required?.includes(name))
        .map(([name, property]) => [name, sample(property)]),
    );
  };
  const sampleText = (format: string | undefined) => {
    if (format === "email") return `person-${Math.floor(random() * 1e6)}@example.com`;
    if (format === "date") return "2026-12-31";
    if (format === "date-time") return "2026-11-21T08:00:00Z";
    return "Ada Byron";
  };

  /** Replaces one value at any depth, or adds one. */
  const withFlaw = (value: unknown): unknown => {
    if (typeof value === "string" && chance(0.85)) return odd(value);
    if (typeof value === "object" && value !== null && chance(0.95)) {
      const entries: [string, unknown][] = Object.entries(value);
      if (entries.length === 0 || chance(0.05)) entries.push([odd("name"), odd("Ada")]);
      const flawed = Math.floor(random() * entries.length);
      const changed = entries.map(
        ([name, each], index) => [name, index === flawed ? withFlaw(each) : each] as const,
      );
      return Array.isArray(value) ? changed.map(([, each]) => each) : Object.fromEntries(changed);
    }
    return pick([null, -1, 1e308, 2 ** 53, true, [], {}, "", odd("x"), "x".repeat(70_000), nested(500)]);
  };
  const flawed = (value: unknown): unknown => (chance(0.9) ? withFlaw(value) : value);

  const json = (value: unknown): string => {
    const text = JSON.stringify(value);
    const bytes = Buffer.from(chance(0.5) ? escaped(text) : text).toString("latin1");
    // Bytes that are no UTF-8.
    return chance(0.05) ? bytes.replace("Ada", pick(["\xff\xfe", "\xc0\x80", "\xed\xa0\x80"])) : bytes;
  };

  const device = (visitor: Visitor) => {
    const endpoint = `${inside.pushService}${random()}`;
    const parsed: unknown = JSON.parse(createSubscription(endpoint).token);
    const body = {
      token: JSON.stringify(chance(0.7) ? flawed(parsed) : parsed),
      userId: visitor.uid,
      appType: "confer-landing",
    };
    return chance(0.4) ? flawed(body) : body;
  };

  /** Prefers operations that take text, above all the registration of a device: its token is JSON within JSON. */
  const pickOperation = (): Operation => {
    const device = inside.operations.find(({ name }) => name === "registerDevice");
    if (device && chance(0.25)) return device;
    return pick(chance(0.8) ? inside.operations.filter(takesText) : inside.operations);
  };

  const flaw = (headers: Record<string, string>) => {
    const name = pick(HEADERS);
    const value =
      headers[name] ??
      pick(["x", "text/html", "203.0.113.7", inside.cookie, "visitor=e30.x", "application/json"]);
    // Most bytes are allowed in a header; the others are for the parser of HTTP.
    const bytes = pick([...ODD_BYTES, "%00", "%ed%a0%80", "y".repeat(3000)]);
    const at = pick([0, value.indexOf("=") + 1, value.length]);
    headers[name] = value.slice(0, at) + bytes + value.slice(at);
  };

  const isCall = chance(0.5);
  const headers: Record<string, string> = {
    "Sec-Fetch-Site": "same-origin",
    "X-Forwarded-For": `10.${Math.floor(random() * 250)}.${Math.floor(random() * 250)}.1`,
  };
  let line: string;
  /** One character per byte. */
  let body = "";
  if (isCall) {
    const operation = pickOperation();
    const path = operation.path.replace(/\{\w+\}/g, parameter);
    line = `${operation.method} ${path}${query(chance(0.9) ? operation.query : PARAMETERS)}`;
    const visitor = pick(inside.visitors);
    const isDevice = operation.name === "registerDevice";
    headers.Authorization = `Bearer ${isDevice ? visitor.idToken : pick(inside.tokens)}`;
    if (chance(0.5)) headers["Idempotency-Key"] = `key ${Math.floor(random() * 1000)}`;
    if (operation.name === "signInVisitor") headers.Cookie = `visitor=${parameter()}`;
    if (operation.body) {
      body = json(isDevice ? device(visitor) : flawed(sample(operation.body)));
      headers["Content-Type"] = "application/json";
      headers["X-Signature"] = signReport(Buffer.from(body, "latin1"), inside.bounceSecret);
    }
    if (operation.method !== "GET") headers["Content-Length"] = String(body.length);
  } else {
    const path = pick(inside.pages).replace(/(?<=\/)x(?=\/|$)/g, parameter);
    line = `GET ${path}${chance(0.3) ? ".data" : ""}${query(PARAMETERS)}`;
    headers.Cookie = inside.cookie;
  }
  if (chance(0.25)) flaw(headers);
  return { line, headers, body };
}

const takesText = ({ path, query, body, name }: Operation) =>
  body !== undefined || query.length > 0 || path.includes("{") || name === "signInVisitor";

/** Escapes non-ASCII characters and the NUL as JSON may. */
const escaped = (text: string) =>
  text.replace(/[^ -~]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);

const nested = (depth: number): unknown => (depth === 0 ? "\0" : [nested(depth - 1)]);
