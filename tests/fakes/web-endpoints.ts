import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { listen } from "./listen";
import { SUBMISSION_KINDS, type SubmissionKind } from "~/lib/form-fields";

/** Outcome of the next request; later ones succeed. */
export type EndpointEvent =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
  /** Closed before anything is applied, closed after it, or never answered. */
  | "cut"
  | "cut-after-apply"
  | "silent"
  /** As an Apps Script: applied, then a redirect to the response. */
  | "redirect";

export const API_KEY = "AIzaSyTests-of-the-web-endpoint-mirror";
export const SHEETS = {
  "early-access": "sheet-of-early-access-1234",
  "contact-form": "sheet-of-the-contact-form1",
  "updates-signup": "sheet-of-updates-signups-1",
} as const satisfies Record<SubmissionKind, string>;

/** Rows of a new sheet, empty ones too. */
const NEW_ROWS = 3;

/** The fields of each body by section 7 of the specification, in the order of the sheet's columns. */
const FIELDS: Record<SubmissionKind, readonly string[]> = {
  "early-access": ["name", "email", "company", "role"],
  "contact-form": ["fullName", "email", "inquiryType", "message"],
  "updates-signup": ["name", "email"],
};

/**
 * Starts the three hosted endpoints over real HTTP, the spreadsheets they append to with a time of their own,
 * and Google's values service that reads those with an API key.
 */
export async function startWebEndpoints() {
  const sheets: Record<SubmissionKind, string[][]> = {
    "early-access": [["Name", "Email", "Company", "Role", "Timestamp"]],
    "contact-form": [["Timestamp", "Full Name", "Email", "Inquiry Type", "Message"]],
    "updates-signup": [["Timestamp", "Name", "Email"]],
  };
  const events: EndpointEvent[] = [];
  const paths: string[] = [];
  let isDown = false;

  const server = createServer((request, response) => void answer(request, response));
  const origin = `http://127.0.0.1:${await listen(server)}`;

  return {
    origin,
    events,
    paths,
    urls: {
      "early-access": `${origin}/early-access`,
      "contact-form": `${origin}/contact-form`,
      "updates-signup": `${origin}/updates-signup`,
    } satisfies Record<SubmissionKind, string>,
    /** Returns the rows below the header. */
    rows: (kind: SubmissionKind) => sheets[kind].slice(1),
    /** Makes every request respond 503 while it is down. */
    setDown: (down: boolean) => void (isDown = down),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", origin);
    paths.push(`${request.method} ${url.pathname}`);
    const body = await text(request).catch(() => "");
    if (url.pathname === "/answer") return reply(response, 200, { status: "success" });
    if (isDown) return reply(response, 503, { message: "Service unavailable" });
    const event = events.shift();
    if (event === "silent") return;
    if (event === "cut") return void request.socket.destroy();
    if (typeof event === "object") {
      return void response.writeHead(event.status, event.headers).end(event.body);
    }
    if (request.method === "GET") return read(url, response);
    const kind = SUBMISSION_KINDS.find((known) => url.pathname === `/${known}`);
    if (!kind || request.headers["content-type"] !== "application/json") return reply(response, 404, {});
    const row = parseRow(kind, body);
    if (!row) return reply(response, 200, { status: "error", message: "Missing fields" });
    sheets[kind].push(row);
    if (event === "cut-after-apply") return void request.socket.destroy();
    if (event === "redirect") return void response.writeHead(302, { Location: "/answer" }).end();
    return reply(response, 200, kind === "updates-signup" ? "ok" : { status: "success" });
  }

  function read(url: URL, response: ServerResponse): void {
    const [, id, range] = /^\/v4\/spreadsheets\/([^/]+)\/values\/(.+)$/.exec(url.pathname) ?? [];
    const kind = SUBMISSION_KINDS.find((known) => SHEETS[known] === id);
    if (!kind) return fail(response, 404, "Requested entity was not found.");
    if (url.searchParams.get("key") !== API_KEY) return fail(response, 400, "API key not valid.");
    const [, from] = /^sheet1!A(\d+):[CE]$/.exec(decodeURIComponent(range ?? "")) ?? [];
    if (!from) return fail(response, 400, `Unable to parse range: ${range}`);
    // A sheet that is full grows by each row that is appended.
    const rowCount = Math.max(NEW_ROWS, sheets[kind].length);
    if (Number(from) > rowCount) {
      return fail(
        response,
        400,
        `Range (${range}) exceeds grid limits. Max rows: ${rowCount}, max columns: 26`,
      );
    }
    const values = sheets[kind].slice(Number(from) - 1);
    reply(response, 200, { range, majorDimension: "ROWS", ...(values.length > 0 && { values }) });
  }
}

/** Returns undefined unless the body has exactly the form's fields. */
function parseRow(kind: SubmissionKind, body: string): string[] | undefined {
  const values = JSON.parse(body) as Record<string, string>;
  const fields = FIELDS[kind];
  if (Object.keys(values).toSorted().join() !== fields.toSorted().join()) return undefined;
  const cells = fields.map((field) => String(values[field]));
  const time = new Date().toString();
  return kind === "early-access" ? [...cells, time] : [time, ...cells];
}

const fail = (response: ServerResponse, code: number, message: string) =>
  reply(response, code, { error: { code, message, status: "INVALID_ARGUMENT" } });

function reply(response: ServerResponse, status: number, body: unknown): void {
  const content = typeof body === "string" ? body : JSON.stringify(body);
  response.writeHead(status, { "Content-Type": "application/json" }).end(content);
}
