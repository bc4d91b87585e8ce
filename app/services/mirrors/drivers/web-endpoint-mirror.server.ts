import { Agent as PlainAgent } from "node:http";
import { Agent as SecureAgent } from "node:https";
import { z } from "zod";
import { getLastColumnLetter } from "~/services/submissions/submission-columns";
import { seconds } from "~/lib/durations";
import { parseJson } from "~/lib/parse-json";
import { publicLookup } from "~/lib/public-lookup";
import { toOneLine } from "~/lib/one-line";
import { parseRetryAfter } from "~/lib/retry-after";
import { sendRequest, type HttpResponse } from "~/lib/send-request.server";
import { mebibytes } from "~/lib/sizes";
import type { Clock } from "~/services/service-deps";
import type { MirrorOutcome, MirrorReading, MirrorRow, SubmissionMirror } from "../submission-mirror";
import { listColumns, type SubmissionKind } from "~/lib/form-fields";

/** Of each request; a redirect to the response is a second one. */
const TIMEOUT_MS = seconds(20);
/** Maximum response size: a sheet of a million rows is some 100 MB. */
const MAX_RESPONSE_BYTES = mebibytes(256);
/** Host to which a Google Apps Script redirects for its response, after it ran. */
const APPS_SCRIPT_RESPONSE_HOST = "script.googleusercontent.com";

interface WebEndpointMirrorOptions {
  /** Endpoint of each form. */
  readonly urls: Readonly<Record<SubmissionKind, string>>;
  /** Spreadsheets the endpoints write to, when they may be read. */
  readonly readBack?: {
    readonly key: string;
    readonly sheets: Readonly<Record<SubmissionKind, string>>;
    /** Replaced in tests. */
    readonly origin?: string;
  };
  readonly clock: Clock;
  readonly timeoutMs?: number;
}

/**
 * Posts rows to the specification's three hosted endpoints (section 7, "Signup writes"), one POST per row; they
 * append it at the end of their sheet. With the key of "Spreadsheet reads" the rows can be read back. https
 * connects to public addresses only; http is for this machine only, as the settings allow.
 */
export class WebEndpointMirror implements SubmissionMirror {
  readonly name = "web-endpoint";
  readonly batch = 1;
  readonly isRepeatable = false;
  readonly read: SubmissionMirror["read"];
  readonly #options: WebEndpointMirrorOptions;
  readonly #secureAgent = new SecureAgent({ keepAlive: true, lookup: publicLookup });
  readonly #plainAgent = new PlainAgent({ keepAlive: true });

  constructor(options: WebEndpointMirrorOptions) {
    this.#options = options;
    const { readBack } = options;
    this.read = readBack && ((kind, from) => this.#read(readBack, kind, from));
  }

  async write(kind: SubmissionKind, _at: number, rows: readonly MirrorRow[]): Promise<MirrorOutcome> {
    const [row] = rows;
    if (!row || rows.length > 1) throw new RangeError("An endpoint takes one row at a time");
    const url = new URL(this.#options.urls[kind]);
    const answer = await this.#send(url, toBody(kind, row));
    if ("handedOver" in answer) {
      return { kind: answer.handedOver ? "unknown" : "deferred", detail: answer.detail };
    }
    if (answer.status === 302 || answer.status === 303) return this.#follow(kind, url, answer);
    return toOutcome(kind, answer, this.#options.clock());
  }

  async close(): Promise<void> {
    this.#secureAgent.destroy();
    this.#plainAgent.destroy();
  }

  /** @returns a complete response, or whether the request was handed over, and why there is none. */
  async #send(url: URL, content?: object) {
    const reply = await sendRequest(url, {
      method: content ? "POST" : "GET",
      headers: { Accept: "application/json", ...(content && { "Content-Type": "application/json" }) },
      body: content && Buffer.from(JSON.stringify(content)),
      agent: url.protocol === "https:" ? this.#secureAgent : this.#plainAgent,
      timeout: { ms: this.#options.timeoutMs ?? TIMEOUT_MS, message: "It took too long" },
      maxBytes: MAX_RESPONSE_BYTES,
    });
    if ("handedOver" in reply) return { handedOver: reply.handedOver, detail: toOneLine(reply.reason) };
    if (reply.lost) return { handedOver: true, detail: toOneLine(`The answer ${reply.lost.reason}`) };
    return reply;
  }

  /** Follows the redirect to the response: the row was accepted, its result is at another address. */
  async #follow(kind: SubmissionKind, from: URL, { headers }: HttpResponse): Promise<MirrorOutcome> {
    const { location = "" } = headers;
    const to = URL.canParse(location, from.href) ? new URL(location, from.href) : undefined;
    const isOurs = to?.origin === from.origin;
    const isGoogles = to?.protocol === "https:" && to.hostname === APPS_SCRIPT_RESPONSE_HOST;
    if (!to || (!isOurs && !isGoogles)) {
      const where = to?.hostname ?? "nowhere";
      return misconfigured(`It redirects to ${where} instead of answering. ${HINTS.redirect}`);
    }
    const answer = await this.#send(to);
    if ("handedOver" in answer) return { kind: "unknown", detail: answer.detail };
    if (answer.status < 200 || answer.status > 299) {
      return { kind: "unknown", detail: `It accepted the row and then answered ${answer.status}` };
    }
    return toOutcome(kind, answer, this.#options.clock());
  }

  async #read(
    readBack: NonNullable<WebEndpointMirrorOptions["readBack"]>,
    kind: SubmissionKind,
    from: number,
  ): Promise<MirrorReading> {
    const { key, sheets, origin = "https://sheets.googleapis.com" } = readBack;
    const column = getLastColumnLetter(kind);
    // The first row is the header.
    const range = encodeURIComponent(`sheet1!A${from + 1}:${column}`);
    const url = new URL(`/v4/spreadsheets/${encodeURIComponent(sheets[kind])}/values/${range}`, origin);
    url.searchParams.set("key", key);
    const answer = await this.#send(url);
    if ("handedOver" in answer) return { kind: "deferred", detail: answer.detail };
    const { status } = answer;
    const body = answer.body.toString();
    if (status === 200) {
      const parsed = readingSchema.safeParse(parseJson(body));
      if (parsed.success) return { kind: "rows", rows: parsed.data.values.map((row) => row.map(String)) };
      return misconfigured("Google's response is not spreadsheet data");
    }
    if (status === 400 && isBelowGrid(getMessage(body), from + 1)) return { kind: "rows", rows: [] };
    const detail = toOneLine(`Google answered ${status} to reading it: ${getMessage(body)}`);
    if (status === 429 || status >= 500) return deferred(detail, answer, this.#options.clock());
    return misconfigured(`${detail}. ${HINTS.read}`);
  }
}

/** Returns whether Google refuses a range because it begins below the sheet's last row: a full sheet ends there. */
function isBelowGrid(message: string, firstRow: number): boolean {
  const [, rows] = /exceeds grid limits\. Max rows: (\d+)/.exec(message) ?? [];
  return rows !== undefined && firstRow > Number(rows);
}

const HINTS = {
  redirect: "Deploy an Apps Script as a web app that anyone may use.",
  address: "Check its address in the settings, and whether anyone may use it.",
  json: "Check the endpoint itself: it must answer in JSON, with a status.",
  read: "Check GOOGLE_API_KEY and the sheet's id, and that anyone with the link can read the sheet.",
};

/** Builds the specification's request body of a form (section 7): the row by the names of its inputs, without the time. */
function toBody(kind: SubmissionKind, row: MirrorRow): Record<string, string> {
  const named = listColumns(kind).flatMap((column, index) =>
    "input" in column ? [[column.input, row[index] ?? ""]] : [],
  );
  return Object.fromEntries(named);
}

function toOutcome(kind: SubmissionKind, answer: HttpResponse, now: number): MirrorOutcome {
  const { status } = answer;
  const body = answer.body.toString();
  const words = getMessage(body);
  const detail = toOneLine(`It answered ${status}${words && ": "}${words}`);
  if (status >= 200 && status < 300) {
    // Success is the HTTP status for updates, and the body's own status for the other forms.
    if (kind === "updates-signup") return { kind: "written" };
    const reply = replySchema.safeParse(parseJson(body));
    if (!reply.success)
      return misconfigured(`It answered ${status}, but without a result for the row. ${HINTS.json}`);
    if (reply.data.status === "success") return { kind: "written" };
    return { kind: "refused", detail: toOneLine(reply.data.message ?? `It reports ${reply.data.status}`) };
  }
  if (status === 429 || status === 500 || status === 503) return deferred(detail, answer, now);
  // A gateway does not know whether the row was stored.
  if (status > 500 || status === 408) return { kind: "unknown", detail };
  if (status === 400 || status === 413 || status === 422) return { kind: "refused", detail };
  return misconfigured(`${detail}. ${HINTS.address}`);
}

const misconfigured = (detail: string) => ({ kind: "misconfigured", detail }) as const;
const deferred = (detail: string, { headers }: HttpResponse, now: number) =>
  ({ kind: "deferred", detail, retryAfterMs: parseRetryAfter(headers["retry-after"], now) }) as const;

const replySchema = z.object({ status: z.string(), message: z.string().optional() });
const readingSchema = z.object({
  values: z.array(z.array(z.union([z.string(), z.number(), z.boolean()]))).default([]),
});
const failureSchema = z.union([
  z.object({ error: z.object({ message: z.string() }) }).transform(({ error }) => error.message),
  z.object({ message: z.string() }).transform(({ message }) => message),
]);

/** Extracts a message from a response body; HTML pages give none. */
function getMessage(body: string): string {
  const failure = failureSchema.safeParse(parseJson(body));
  if (failure.success) return failure.data;
  return body.trimStart().startsWith("<") ? "" : body.slice(0, 500);
}
