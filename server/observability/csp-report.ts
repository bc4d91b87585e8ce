import { z } from "zod";
import { parseJson } from "../../app/lib/parse-json.ts";
import { redactPath } from "./path-redaction.ts";

const text = z.string().max(8192).catch("");
const oldForm = z.object({
  "csp-report": z.object({
    "effective-directive": text,
    "violated-directive": text,
    "blocked-uri": text,
    "document-uri": text,
  }),
});
const newForm = z
  .array(
    z.object({
      type: z.literal("csp-violation"),
      body: z.object({ effectiveDirective: text, blockedURL: text, documentURL: text }),
    }),
  )
  .min(1);

/**
 * Reads a browser's report of a policy violation (C16). Anyone can post here, so it is reduced to three short facts.
 * @returns the first violation of a report in either form (report-uri, report-to), undefined when it is none.
 */
export function readViolation(body: string) {
  const json = parseJson(body);
  const old = oldForm.safeParse(json);
  if (old.success) {
    const report = old.data["csp-report"];
    const directive = report["effective-directive"] || report["violated-directive"];
    return toViolation(directive, report["blocked-uri"], report["document-uri"]);
  }
  const [first] = newForm.safeParse(json).data ?? [];
  return first && toViolation(first.body.effectiveDirective, first.body.blockedURL, first.body.documentURL);
}

function toViolation(directive: string, blocked: string, documentUrl: string) {
  return {
    directive: /^[a-z-]{1,40}/.exec(directive)?.[0] ?? "unknown",
    blocked: toOrigin(blocked),
    path: URL.canParse(documentUrl) ? redactPath(new URL(documentUrl).pathname) : "unknown",
  };
}

/**
 * Reduces what was blocked to an origin, a scheme or a keyword: `https://evil.example/x?y` ->
 * `https://evil.example`; `data:...` -> `data:`; `inline` and `eval` stay.
 */
function toOrigin(blocked: string): string {
  if (/^[a-z-]{1,20}$/.test(blocked)) return blocked;
  if (!URL.canParse(blocked)) return "unknown";
  const { origin, protocol } = new URL(blocked);
  return (origin === "null" ? protocol : origin).slice(0, 100);
}

/** Creates a fixed-window rate limit for the whole process: `true` while the window has capacity. */
export function createRateLimit(perWindow: number, windowMs: number, now: () => number): () => boolean {
  let start = now();
  let count = 0;
  return () => {
    if (now() - start >= windowMs) [start, count] = [now(), 0];
    return ++count <= perWindow;
  };
}
