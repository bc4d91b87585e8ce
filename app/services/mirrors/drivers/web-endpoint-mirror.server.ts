import { Agent as HttpAgent, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { z } from "zod";
import { getColumns, getLastColumnLetter } from "~/content/submission-columns";
import { seconds } from "~/lib/durations";
import { publicLookup } from "~/lib/public-lookup";
import { parseRetryAfter, toOneLine } from "~/lib/retry-after";
import type { Clock } from "~/services/clock";
import type { SubmissionKind } from "~/services/signups/typed-columns";
import type { MirrorOutcome, MirrorReading, MirrorRow, SubmissionMirror } from "../submission-mirror";

const TIMEOUT_MS = seconds(20);
/** Host to which a Google Apps Script redirects for its response, after it ran. */
const APPS_SCRIPT_RESPONSE_HOST = "script.googleusercontent.com";

export interface WebEndpointMirrorOptions {
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
 * append it at the end of their sheet. With the key of "Spreadsheet reads" the rows can be read back.
 */
export class WebEndpointMirror implements SubmissionMirror {
  readonly name = "web-endpoint";
  readonly batch = 1;
  readonly isRepeatable = false;
  readonly read: SubmissionMirror["read"];
  readonly #options: WebEndpointMirrorOptions;
  readonly #requests = new WebRequests();

  constructor(options: WebEndpointMirrorOptions) {
    this.#options = options;
    const { readBack } = options;
    this.read = readBack && ((kind, from) => this.#read(readBack, kind, from));
  }

  async write(kind: SubmissionKind, _at: number, rows: readonly MirrorRow[]): Promise<MirrorOutcome> {
    const [row] = rows;
    if (!row || rows.length > 1) throw new RangeError("An endpoint takes one row at a time");
    const signal = this.#createTimeout();
    const url = new URL(this.#options.urls[kind]);
    const answer = await this.#requests.send(url, { body: JSON.stringify(toBody(kind, row)), signal });
    if ("handedOver" in answer) {
      return { kind: answer.handedOver ? "unknown" : "deferred", detail: toOneLine(answer.detail) };
    }
    if (answer.status === 302 || answer.status === 303) return this.#follow(kind, url, answer, signal);
    return toOutcome(kind, answer, this.#options.clock());
  }

  async close(): Promise<void> {
    this.#requests.close();
  }

  #createTimeout(): AbortSignal {
    return AbortSignal.timeout(this.#options.timeoutMs ?? TIMEOUT_MS);
  }

  /** Follows the redirect to the response: the row was accepted, its result is at another address. */
  async #follow(
    kind: SubmissionKind,
    from: URL,
    { location = "" }: { location?: string | undefined },
    signal: AbortSignal,
  ): Promise<MirrorOutcome> {
    const to = URL.canParse(location, from.href) ? new URL(location, from.href) : undefined;
    const isOurs = to?.origin === from.origin;
    const isGoogles = to?.protocol === "https:" && to.hostname === APPS_SCRIPT_RESPONSE_HOST;
    if (!to || (!isOurs && !isGoogles)) {
      const where = to?.hostname ?? "nowhere";
      return misconfigured(`It redirects to ${where} instead of answering. ${HINTS.redirect}`);
    }
    const answer = await this.#requests.send(to, { signal });
    if ("handedOver" in answer) return { kind: "unknown", detail: toOneLine(answer.detail) };
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
    const answer = await this.#requests.send(url, { signal: this.#createTimeout() });
    if ("handedOver" in answer) return { kind: "deferred", detail: toOneLine(answer.detail) };
    const { status, body, retryAfter } = answer;
    if (status === 200) {
      const parsed = readingSchema.safeParse(parseJson(body));
      if (parsed.success) return { kind: "rows", rows: parsed.data.values.map((row) => row.map(String)) };
      return misconfigured("Google's response is not spreadsheet data");
    }
    const detail = toOneLine(`Google answered ${status} to reading it: ${getMessage(body)}`);
    if (status === 429 || status >= 500) return deferred(detail, retryAfter, this.#options.clock());
    return misconfigured(`${detail}. ${HINTS.read}`);
  }
}

const HINTS = {
  redirect: "Deploy an Apps Script as a web app that anyone may use.",
  address: "Check its address in the settings, and whether anyone may use it.",
  json: "Check the endpoint itself: it must answer in JSON, with a status.",
  read: "Check GOOGLE_API_KEY and the sheet's id, and that anyone with the link can read the sheet.",
};

/** Fields of the inquiry's body that are not named after their columns (specification, section 7). */
const INQUIRY_NAMES: Partial<Record<string, string>> = { name: "fullName", inquiry_type: "inquiryType" };

/** Builds the specification's request body of a form: the row by its columns, without the time. */
function toBody(kind: SubmissionKind, row: MirrorRow): Record<string, string> {
  const named = getColumns(kind).map((column, index): [string, string] => {
    const name = kind === "contact-form" ? INQUIRY_NAMES[column] : undefined;
    return [name ?? column, row[index] ?? ""];
  });
  return Object.fromEntries(named.filter(([name]) => name !== "created_at"));
}

function toOutcome(
  kind: SubmissionKind,
  answer: Extract<WebResponse, { status: number }>,
  now: number,
): MirrorOutcome {
  const { status, body, retryAfter } = answer;
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
  if (status === 429 || status === 500 || status === 503) return deferred(detail, retryAfter, now);
  // A gateway does not know whether the row was stored.
  if (status > 500 || status === 408) return { kind: "unknown", detail };
  if (status === 400 || status === 413 || status === 422) return { kind: "refused", detail };
  return misconfigured(`${detail}. ${HINTS.address}`);
}

const misconfigured = (detail: string) => ({ kind: "misconfigured", detail }) as const;
const deferred = (detail: string, retryAfter: string | undefined, now: number) =>
  ({ kind: "deferred", detail, retryAfterMs: parseRetryAfter(retryAfter, now) }) as const;

const replySchema = z.object({ status: z.string(), message: z.string().optional() });
const readingSchema = z.object({
  values: z.array(z.array(z.union([z.string(), z.number(), z.boolean()]))).default([]),
});
const failureSchema = z.union([
  z.object({ error: z.object({ message: z.string() }) }).transform(({ error }) => error.message),
  z.object({ message: z.string() }).transform(({ message }) => message),
]);

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Extracts a message from a response body; HTML pages give none. */
function getMessage(body: string): string {
  const failure = failureSchema.safeParse(parseJson(body));
  if (failure.success) return failure.data;
  return body.trimStart().startsWith("<") ? "" : body.slice(0, 500);
}

/** Response, or how far the request came without one. */
type WebResponse =
  | {
      readonly status: number;
      readonly location: string | undefined;
      readonly retryAfter: string | undefined;
      readonly body: string;
    }
  | { readonly handedOver: boolean; readonly detail: string };

/** Maximum response size: a sheet of a million rows is some 100 MB. */
const MAX_BODY_BYTES = 256 * 1024 * 1024;

/**
 * Sends requests and follows no redirect. https connects to public addresses only; http is for this machine
 * only, as the settings allow.
 */
class WebRequests {
  readonly #secure = new HttpsAgent({ keepAlive: true, lookup: publicLookup });
  readonly #plain = new HttpAgent({ keepAlive: true });

  send(url: URL, { body, signal }: { body?: string; signal: AbortSignal }): Promise<WebResponse> {
    return new Promise((settle) => {
      let handedOver = false;
      const fail = (error: Error) =>
        settle({ handedOver, detail: signal.aborted ? "It took too long" : error.message });
      const headers = {
        Accept: "application/json",
        ...(body !== undefined && {
          "Content-Type": "application/json",
          "Content-Length": String(Buffer.byteLength(body)),
        }),
      };
      const method = body === undefined ? "GET" : "POST";
      const isSecure = url.protocol === "https:";
      const agent = isSecure ? this.#secure : this.#plain;
      const request = isSecure ? httpsRequest : httpRequest;
      const outgoing = request(url, { method, headers, agent, signal }, (response) => {
        const parts: Buffer[] = [];
        let size = 0;
        response.on("data", (part: Buffer) => {
          size += part.length;
          if (size > MAX_BODY_BYTES) response.destroy(new Error("The answer is too large"));
          else parts.push(part);
        });
        response.once("end", () =>
          settle({
            status: response.statusCode ?? 0,
            location: response.headers.location,
            retryAfter: response.headers["retry-after"],
            body: Buffer.concat(parts).toString(),
          }),
        );
        response.once("error", fail);
      });
      outgoing.once("error", fail);
      outgoing.once("finish", () => (handedOver = true));
      outgoing.end(body);
    });
  }

  close(): void {
    this.#secure.destroy();
    this.#plain.destroy();
  }
}
