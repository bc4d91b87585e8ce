import { setTimeout as pause } from "node:timers/promises";
import { seconds } from "~/lib/durations";
import { googleProblems } from "~/services/google/google-problems";
import type { GoogleAccount } from "~/services/google/drivers/google-account.server";
import { isTooLarge, Spreadsheet, type SheetProperties } from "~/services/google/drivers/spreadsheet.server";
import { TokenBucket } from "~/services/queue/token-bucket";
import type { Clock } from "~/services/service-deps";
import { getHeaders, getLastColumnLetter } from "~/services/submissions/submission-columns";
import type { MirrorOutcome, MirrorReading, MirrorRow, SubmissionMirror } from "../submission-mirror";
import type { SubmissionKind } from "~/lib/form-fields";

const BATCH = 500;
/** Maximum request size that Google recommends, in bytes. */
const MAX_BODY_BYTES = 2_000_000;
/** Below Google's quota of 60 per minute and account. */
const WRITES_PER_SECOND = 50 / 60;
/** Together with fetching an access token, which has its own timeout, a call settles within the port's minute. */
const CALL_TIMEOUT_MS = seconds(30);
const ROWS_PER_READ = 20_000;
/** Rows added beyond those needed when a sheet is too small, so that not every write grows it. */
const SPARE_ROWS = 1000;
/** Sheet name of the specification, the default of a new spreadsheet in English. */
const SHEET = "sheet1";
const ADDRESS = /\S@\S/;

interface GoogleSheetsMirrorOptions {
  /** Closed together with the mirror. */
  readonly account: GoogleAccount;
  /** Spreadsheet of each form, and the environment variable that names it. */
  readonly spreadsheets: Readonly<Record<SubmissionKind, { readonly id: string; readonly variable: string }>>;
  readonly clock: Clock;
  /** Waits for the rate limit; replaced in tests. */
  readonly wait?: (ms: number) => Promise<unknown>;
}

/**
 * Writes to three Google spreadsheets, one per form. A row is written to a fixed place and never appended, so
 * that a retry after a timeout does not duplicate it (hardening R11).
 */
export class GoogleSheetsMirror implements SubmissionMirror {
  readonly name = "google-sheets";
  readonly batch = BATCH;
  readonly isRepeatable = true;
  readonly #account: GoogleAccount;
  readonly #sheets: Readonly<Record<SubmissionKind, FormSheet>>;

  constructor({ account, spreadsheets, clock, wait = pause }: GoogleSheetsMirrorOptions) {
    this.#account = account;
    // One bucket for all three: the quota is per account.
    const quota = new TokenBucket(WRITES_PER_SECOND, clock());
    const waitForQuota = async () => {
      for (let ms; (ms = quota.waitMs(clock())) > 0;) await wait(ms);
      quota.consume(1);
    };
    const openSheet = (kind: SubmissionKind) => {
      const { id, variable } = spreadsheets[kind];
      const spreadsheet = new Spreadsheet({ account, id, variable, clock });
      return new FormSheet({ kind, spreadsheet, variable, waitForQuota });
    };
    this.#sheets = {
      "early-access": openSheet("early-access"),
      "contact-form": openSheet("contact-form"),
      "updates-signup": openSheet("updates-signup"),
    };
  }

  write(kind: SubmissionKind, at: number, rows: readonly MirrorRow[]): Promise<MirrorOutcome> {
    return this.#sheets[kind].write(at, rows);
  }

  readonly read = (kind: SubmissionKind, from: number): Promise<MirrorReading> =>
    this.#sheets[kind].read(from);

  async close(): Promise<void> {
    this.#account.close();
  }
}

interface FormSheetOptions {
  readonly kind: SubmissionKind;
  readonly spreadsheet: Spreadsheet;
  readonly variable: string;
  /** Resolves when one more write is within the quota. */
  readonly waitForQuota: () => Promise<void>;
}

type Grid = ReturnType<typeof toGrid>;

/** A configuration problem detected here rather than reported by Google. */
class MisconfigurationError extends Error {}

/** Rows of one form in its spreadsheet: the header in row 1, place n in row n + 1. */
class FormSheet {
  readonly #options: FormSheetOptions;
  #grid: Grid | undefined;

  constructor(options: FormSheetOptions) {
    this.#options = options;
  }

  async write(at: number, rows: readonly MirrorRow[]): Promise<MirrorOutcome> {
    const wasKnown = this.#grid !== undefined;
    const outcome = await this.#tryToWrite(at, rows);
    // Somebody may have renamed the sheet, or deleted rows of it, since it was cached.
    return wasKnown && outcome.kind === "misconfigured" ? this.#tryToWrite(at, rows) : outcome;
  }

  async read(from: number): Promise<MirrorReading> {
    const signal = AbortSignal.timeout(CALL_TIMEOUT_MS);
    try {
      const { title, rows: end } = await this.#loadGrid(signal);
      const rows: MirrorRow[] = [];
      for (let first = from + 1; first <= end; first += ROWS_PER_READ) {
        const last = Math.min(first + ROWS_PER_READ - 1, end);
        for (const row of await this.#readRows(title, first, last, signal)) rows.push(row);
      }
      const full = rows.findLastIndex((row) => row.some((cell) => cell !== ""));
      return { kind: "rows", rows: rows.slice(0, full + 1) };
    } catch (error) {
      const outcome = this.#toOutcome(error);
      if (outcome.kind === "deferred") return outcome;
      // Reading again is harmless.
      const kind = outcome.kind === "unknown" ? "deferred" : "misconfigured";
      return { kind, detail: outcome.detail };
    }
  }

  async #tryToWrite(at: number, rows: readonly MirrorRow[]): Promise<MirrorOutcome> {
    const signal = AbortSignal.timeout(CALL_TIMEOUT_MS);
    let first = at + 1;
    try {
      const grid = this.#grid ?? (await this.#loadGrid(signal));
      await this.#growTo(grid, at + rows.length, signal);
      for (const piece of splitIntoRequests(rows)) {
        await this.#writeRows(grid.title, first, piece, signal);
        first += piece.length;
      }
      return { kind: "written" };
    } catch (error) {
      this.#grid = undefined;
      const outcome = this.#toOutcome(error);
      if (first === at + 1) return outcome;
      return { kind: "unknown", detail: googleProblems.sheets.partly(outcome.detail) };
    }
  }

  /** Finds the sheet, and writes its header when it is missing. */
  async #loadGrid(signal: AbortSignal): Promise<Grid> {
    const { kind, spreadsheet, variable, waitForQuota } = this.#options;
    const grid = toGrid(await spreadsheet.sheets(signal), variable);
    const header = getHeaders(kind);
    const length = header.length - grid.columns;
    if (length > 0) {
      await waitForQuota();
      await spreadsheet.grow({ sheetId: grid.sheetId, dimension: "COLUMNS", length }, signal);
    }
    const [cells = []] = await this.#readRows(grid.title, 1, 1, signal);
    if (cells.every((cell) => cell.trim() === "")) await this.#writeRows(grid.title, 1, [header], signal);
    const person = cells.find((cell) => ADDRESS.test(cell));
    if (person !== undefined)
      throw new MisconfigurationError(googleProblems.sheets.noHeader(variable, person));
    this.#grid = grid;
    return grid;
  }

  /** Appends rows when needed, because Google accepts no row below the last of a sheet. */
  async #growTo(grid: Grid, lastPlace: number, signal: AbortSignal): Promise<void> {
    const { sheetId, rows } = grid;
    const missing = lastPlace + 1 - rows;
    if (missing <= 0) return;
    const length = missing + SPARE_ROWS;
    await this.#options.waitForQuota();
    await this.#options.spreadsheet.grow({ sheetId, dimension: "ROWS", length }, signal);
    this.#grid = { ...grid, rows: rows + length };
  }

  async #writeRows(title: string, first: number, rows: readonly MirrorRow[], signal: AbortSignal) {
    const { spreadsheet, waitForQuota } = this.#options;
    await waitForQuota();
    const range = this.#getRange(title, first, first + rows.length - 1);
    const values = rows.map((row) => [...row]);
    await spreadsheet.write(range, values, signal);
  }

  /** Reads exactly these rows, each with all its cells. A range too large for one response is read in halves. */
  async #readRows(title: string, first: number, last: number, signal: AbortSignal): Promise<MirrorRow[]> {
    const { kind, spreadsheet } = this.#options;
    try {
      const found = await spreadsheet.read(this.#getRange(title, first, last), signal);
      return Array.from({ length: last - first + 1 }, (_, row) =>
        getHeaders(kind).map((_, column) => found[row]?.[column] ?? ""),
      );
    } catch (error) {
      if (!isTooLarge(error) || first === last) throw error;
      const middle = Math.floor((first + last) / 2);
      const upper = await this.#readRows(title, first, middle, signal);
      return [...upper, ...(await this.#readRows(title, middle + 1, last, signal))];
    }
  }

  #getRange(title: string, first: number, last: number): string {
    return `'${title.replaceAll("'", "''")}'!A${first}:${getLastColumnLetter(this.#options.kind)}${last}`;
  }

  #toOutcome(error: unknown): Exclude<MirrorOutcome, { kind: "written" }> {
    if (error instanceof MisconfigurationError) return { kind: "misconfigured", detail: error.message };
    return this.#options.spreadsheet.toFailure(error);
  }
}

function toGrid(all: readonly SheetProperties[], variable: string) {
  const found = all.find(({ title }) => title.toLowerCase() === SHEET);
  if (!found?.gridProperties) {
    const titles = all.map(({ title }) => title);
    throw new MisconfigurationError(googleProblems.sheets.noSheet(variable, titles));
  }
  const { rowCount: rows, columnCount: columns } = found.gridProperties;
  return { sheetId: found.sheetId, title: found.title, rows, columns };
}

/** Splits rows into requests within the size limit. */
function splitIntoRequests(rows: readonly MirrorRow[]): MirrorRow[][] {
  const pieces: MirrorRow[][] = [];
  let bytesLeft = 0;
  for (const row of rows) {
    const bytes = Buffer.byteLength(JSON.stringify(row)) + 1;
    if (pieces.length === 0 || bytes > bytesLeft) {
      pieces.push([]);
      bytesLeft = MAX_BODY_BYTES;
    }
    pieces.at(-1)?.push(row);
    bytesLeft -= bytes;
  }
  return pieces;
}
