import { sheets, type sheets_v4 } from "googleapis/build/src/apis/sheets/index.js";
import { z } from "zod";
import { googleProblems } from "~/services/google/google-problems";
import { seconds } from "~/lib/durations";
import { toGoogleProblem, type GoogleProblem } from "~/services/google/google-answer";
import type { Clock } from "~/services/service-deps";
import type { GoogleAccount } from "./google-account.server";
import { ResponseTooLargeError } from "./google-transport.server";

const spreadsheet = z.object({
  sheets: z.array(
    z.object({
      properties: z.object({
        sheetId: z.number().default(0),
        title: z.string(),
        // A sheet that contains only a chart has no grid.
        gridProperties: z.object({ rowCount: z.number(), columnCount: z.number() }).optional(),
      }),
    }),
  ),
});
const valueRange = z.object({ values: z.array(z.array(z.string())).default([]) });
const updated = z.object({ updatedRange: z.string() });
const batchUpdated = z.object({ spreadsheetId: z.string() });

export type SheetProperties = z.infer<typeof spreadsheet>["sheets"][number]["properties"];

/** Reason why a call failed; `refused` is about the written content. */
type SheetFailure =
  | Extract<GoogleProblem, { kind: "deferred" }>
  | { readonly kind: "misconfigured" | "unknown" | "refused"; readonly detail: string };

interface SpreadsheetOptions {
  readonly account: GoogleAccount;
  readonly id: string;
  /** Environment variable that names it, for error messages. */
  readonly variable: string;
  readonly clock: Clock;
}

/** One Google spreadsheet. Its calls throw; `toFailure` explains the error. */
export class Spreadsheet {
  readonly #options: SpreadsheetOptions;
  readonly #api: sheets_v4.Sheets;

  constructor(options: SpreadsheetOptions) {
    this.#options = options;
    this.#api = sheets({ version: "v4", auth: options.account.client });
  }

  /** Lists its sheets with their sizes. */
  async sheets(signal: AbortSignal): Promise<SheetProperties[]> {
    const fields = "sheets.properties(sheetId,title,gridProperties(rowCount,columnCount))";
    const { id: spreadsheetId } = this.#options;
    const { data } = await this.#api.spreadsheets.get({ spreadsheetId, fields }, { signal });
    return spreadsheet.parse(data).sheets.map(({ properties }) => properties);
  }

  /** Reads the displayed values of a range, without empty rows and cells at the end. */
  async read(range: string, signal: AbortSignal): Promise<string[][]> {
    const { id: spreadsheetId } = this.#options;
    const { data } = await this.#api.spreadsheets.values.get({ spreadsheetId, range }, { signal });
    return valueRange.parse(data).values;
  }

  /** Writes values as RAW: text that looks like a formula stays text (hardening C21). */
  async write(range: string, values: string[][], signal: AbortSignal): Promise<void> {
    const { id: spreadsheetId } = this.#options;
    const { data } = await this.#api.spreadsheets.values.update(
      { spreadsheetId, range, valueInputOption: "RAW", requestBody: { majorDimension: "ROWS", values } },
      { signal },
    );
    updated.parse(data);
  }

  async grow(more: { sheetId: number; dimension: "ROWS" | "COLUMNS"; length: number }, signal: AbortSignal) {
    const requestBody = { requests: [{ appendDimension: more }] };
    const { id: spreadsheetId } = this.#options;
    const { data } = await this.#api.spreadsheets.batchUpdate({ spreadsheetId, requestBody }, { signal });
    batchUpdated.parse(data);
  }

  /** Explains the error of a call to Google. @throws any other error. */
  toFailure(error: unknown): SheetFailure {
    const { account, id, variable, clock } = this.#options;
    // The response is not Google's: the request may have been carried out.
    if (error instanceof z.ZodError) return { kind: "unknown", detail: googleProblems.problems.notGoogles };
    if (isTooLarge(error)) return { kind: "misconfigured", detail: googleProblems.sheets.tooLarge(variable) };
    const { credential } = account;
    const problem = toGoogleProblem(error, { credential, use: "sheets" }, clock());
    if (problem.kind !== "answer") return problem;
    const { status, reply } = problem;
    const messages = googleProblems.sheets;
    const misconfigured = (detail: string) => ({ kind: "misconfigured", detail }) as const;
    if (status === 404) return misconfigured(messages.notFound(variable, id));
    if (status === 403 && credential.kind === "api-key")
      return misconfigured(messages.noLinkToRead(variable));
    if (/protected/.test(reply)) return misconfigured(messages.protectedCells(variable, reply));
    if (status === 403) {
      const who = credential.kind === "service-account" ? credential.address : messages.loggedIn;
      return misconfigured(messages.notShared(variable, who));
    }
    if (/number of cells/.test(reply)) return misconfigured(messages.full(variable, reply));
    const isContent = /characters in a single cell/.test(reply);
    return { kind: isContent ? "refused" : "misconfigured", detail: messages.refused(variable, reply) };
  }
}

/** Returns whether Google's response exceeded 5 MB, which fewer rows would not. */
export function isTooLarge(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof ResponseTooLargeError;
}

const TIMEOUT_MS = seconds(30);

/** Result of reading a range. `problem` is a sentence that says what to do; `isPassing` when a retry is enough. */
export type SheetReading =
  | { readonly ok: true; readonly rows: readonly (readonly string[])[] }
  | { readonly ok: false; readonly problem: string; readonly isPassing: boolean };

/** Reads the displayed values of a range such as `sheet1!A2:C`, up to 5 MB. */
export async function readSheet(options: SpreadsheetOptions, range: string): Promise<SheetReading> {
  const spreadsheet = new Spreadsheet(options);
  try {
    return { ok: true, rows: await spreadsheet.read(range, AbortSignal.timeout(TIMEOUT_MS)) };
  } catch (error) {
    const { kind, detail } = spreadsheet.toFailure(error);
    return { ok: false, problem: detail, isPassing: kind === "deferred" || kind === "unknown" };
  }
}
