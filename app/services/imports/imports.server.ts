import type { Read, Write } from "~/db/database.server";
import { cleanText } from "~/lib/clean-text";
import type { ImportedKind, ImportMapping } from "~/lib/import-columns";
import { needsOrder, tellOrder, type DateOrder } from "~/lib/import-dates";
import { CHOSEN_ENCODINGS, decodeCell, isChosenEncoding, type ChosenEncoding } from "~/lib/import-encoding";
import type { Delimiter, FileProblem } from "~/lib/import-file";
import { readInBatches } from "~/lib/read-in-batches";
import { isUuid } from "~/lib/uuid";
import { createAudit, type Actor } from "~/services/audit/audit.server";
import type { ServiceDeps } from "~/services/service-deps";
import { sweepInChunks } from "~/services/sweep-in-chunks.server";
import { formatSubject } from "./import-subject";
import {
  getCells,
  getColumns,
  getCounts,
  getMapping,
  getSettingsHash,
  lockImport,
  type ImportRow,
} from "./import-rows.server";
import {
  isVerdict,
  isWorking,
  LINES_KEPT_MS,
  UNDO_MS,
  UPLOAD_KEPT_MS,
  type ImportState,
  type LineReason,
  type StoredLine,
  type Verdict,
} from "./import-state";
import { readFile } from "./read-file.server";

/** Lines stored in a transaction while a file is read: some milliseconds. */
const CHUNK = 200;
const FILE_NAME_MAX_LENGTH = 200;
/** Past imports that are listed. */
const MAX_LISTED = 50;
const EXPORT_BATCH_SIZE = 500;

export interface ImportSettings {
  readonly kind: ImportedKind;
  readonly mapping: ImportMapping;
  /** Empty only where a column says it. */
  readonly consent: string;
  readonly dateOrder: DateOrder | "";
  readonly isMirrored: boolean;
}

type Upload = { ok: true; id: string } | ({ ok: false } & FileProblem);

/** Why settings cannot be used; codes by what is missing. */
export type SettingsProblem = "email" | "consent" | "date-order";

/** "gone": somebody else has done something else with it meanwhile, or the time is over. */
type Change = { ok: true } | { ok: false; error: "gone" };

export type Imports = ReturnType<typeof createImports>;
export type ImportView = NonNullable<Awaited<ReturnType<Imports["find"]>>>;
export type ImportedLine = Awaited<ReturnType<Imports["listLines"]>>["lines"][number];

/**
 * Imports of people from a file. What is known is never changed, and nothing is sent. The state is in the database; the
 * lines are worked on by import-work.server.ts.
 */
export function createImports(deps: ServiceDeps & { readonly wake: () => void }) {
  const { database, clock, newId, wake } = deps;
  const { read } = database;
  const audit = createAudit(deps);

  const findRow = (id: string) =>
    isUuid(id)
      ? read.selectFrom("imports").selectAll().where("id", "=", id).executeTakeFirst()
      : Promise.resolve(undefined);

  /** Moves an import from one of these states. */
  async function change(
    id: string,
    from: readonly ImportState[],
    work: (trx: Write, row: ImportRow) => Promise<Partial<ImportRow> | undefined>,
  ): Promise<Change> {
    if (!isUuid(id)) return { ok: false, error: "gone" };
    const changed = await database.write(async (trx) => {
      const row = await lockImport(trx, id);
      const set = row && from.includes(row.state) ? await work(trx, row) : undefined;
      if (!set) return false;
      await trx.updateTable("imports").set(set).where("id", "=", id).execute();
      return true;
    });
    wake();
    return changed ? { ok: true } : { ok: false, error: "gone" };
  }

  return {
    /**
     * Stores the lines of a file. An upload that is interrupted leaves what the sweep removes.
     * @param options.delimiter left out: found by the first lines.
     */
    async upload(file: File, options: UploadOptions): Promise<Upload> {
      const { delimiter, by, chunk = CHUNK } = options;
      const id = newId();
      const row = {
        id,
        state: "reading" as const,
        file_name: [...(cleanText(file.name) ?? "")].slice(0, FILE_NAME_MAX_LENGTH).join("") || "import.csv",
        encoding: "",
        delimiter: "",
        columns: "[]",
        created_by: by,
        created_at: clock(),
      };
      await database.write((trx) => trx.insertInto("imports").values(row).execute());
      const outcome = await readFile(file, delimiter, async (lines) => {
        for (let at = 0; at < lines.length; at += chunk) {
          const values = lines.slice(at, at + chunk).map(({ line, cells, email_key }) => ({
            import_id: id,
            line,
            cells: JSON.stringify(cells),
            email_key,
          }));
          await database.write((trx) => trx.insertInto("import_lines").values(values).execute());
        }
      });
      if (!outcome.ok) {
        await change(id, ["reading"], async () => ({ state: "discarded" }));
        return outcome;
      }
      const { encoding, columns, lines } = outcome;
      await change(id, ["reading"], async () => ({
        state: "uploaded",
        encoding: encoding === "bytes" ? CHOSEN_ENCODINGS[0] : encoding,
        delimiter: outcome.delimiter,
        columns: JSON.stringify(columns),
        line_count: lines,
      }));
      return { ok: true, id };
    },

    /** Finds an import with its columns. Undefined for an unknown id, and one that is still being read or was discarded. */
    async find(id: string) {
      const row = await findRow(id);
      if (!row || row.state === "discarded" || row.state === "reading") return undefined;
      const columns = getColumns(row);
      return {
        ...toView(row, clock()),
        encoding: row.encoding,
        /** Whether the encoding was chosen, and can be changed. */
        isEncodingChosen: isChosenEncoding(row.encoding),
        delimiter: row.delimiter as Delimiter,
        columns: columns.map(({ name, dates }) => ({
          name: decodeCell(name, row.encoding),
          needsOrder: needsOrder(dates),
          order: tellOrder(dates),
        })),
        mapping: getMapping(row),
        consent: row.consent,
        dateOrder: row.date_order,
        settingsHash: getSettingsHash(row),
      };
    },

    /** Reads the first lines of a file, as its encoding has them. */
    async preview(id: string, limit: number) {
      const row = await findRow(id);
      if (!row) return [];
      const lines = await selectLines(read, id).orderBy("line").limit(limit).execute();
      return lines.map((line) => getCells(line).map((cell) => decodeCell(cell, row.encoding)));
    },

    /** Lists the newest imports. */
    async list() {
      const rows = await read
        .selectFrom("imports")
        .selectAll()
        .where("state", "not in", ["reading", "discarded"])
        .orderBy("id", "desc")
        .limit(MAX_LISTED)
        .execute();
      return rows.map((row) => toView(row, clock()));
    },

    /** Chooses the encoding of a file whose bytes do not tell it; it has to be checked again. */
    chooseEncoding: (id: string, encoding: ChosenEncoding): Promise<Change> =>
      change(id, ["uploaded", "checking", "checked"], async (_, row) =>
        isChosenEncoding(row.encoding) ? { encoding, state: "uploaded" } : undefined,
      ),

    /** Says what the columns are, and starts the dry run. */
    check(id: string, settings: ImportSettings): Promise<Change> {
      const { kind, mapping, consent, dateOrder, isMirrored } = settings;
      return change(id, ["uploaded", "checking", "checked"], async () => ({
        state: "checking",
        kind,
        mapping: JSON.stringify(mapping),
        consent,
        date_order: dateOrder,
        is_mirrored: isMirrored ? 1 : 0,
        last_line: 0,
        new_count: 0,
        known_count: 0,
        suppressed_count: 0,
        invalid_count: 0,
        duplicate_count: 0,
      }));
    },

    /**
     * Starts an import after its dry run.
     * @param reviewed `settingsHash` of the dry run that the operator saw: somebody may have made another since.
     */
    start: (id: string, actor: Actor, reviewed: string): Promise<Change> =>
      change(id, ["checked"], async (trx, row) => {
        if (getSettingsHash(row) !== reviewed) return undefined;
        await audit(trx, actor, { action: "start-import", subject: formatSubject(row, row.new_count) });
        return { state: "running", last_line: 0, started_at: clock() };
      }),

    /** Stops an import. What was stored stays, and can be undone. */
    cancel: (id: string, actor: Actor): Promise<Change> =>
      change(id, ["running"], async (trx, row) => {
        await audit(trx, actor, { action: "cancel-import", subject: formatSubject(row, row.stored_count) });
        return { state: "cancelled", last_line: 0, finished_at: clock() };
      }),

    /** Forgets a file that was not imported. */
    discard: (id: string): Promise<Change> =>
      change(id, ["uploaded", "checking", "checked"], async () => ({ state: "discarded" })),

    /** Takes back what an import stored, within ten minutes after it was over. */
    undo: (id: string, actor: Actor): Promise<Change> =>
      change(id, ["finished", "cancelled"], async (trx, row) => {
        if (!canUndo(row, clock())) return undefined;
        await audit(trx, actor, { action: "undo-import", subject: formatSubject(row, row.stored_count) });
        return { state: "undoing", last_line: 0 };
      }),

    /** Lists a page of the lines with a verdict, or with any, in the file's order. */
    async listLines(id: string, { verdict, before, after, limit }: LinesPage) {
      const row = await findRow(id);
      if (!row) return { lines: [], isFirst: true, isLast: true };
      const isBack = before !== undefined;
      const rows = await selectLines(read, id)
        .$if(verdict !== undefined, (query) => query.where("verdict", "=", verdict ?? ""))
        .$if(isBack, (query) => query.where("line", "<", before ?? 0))
        .$if(!isBack, (query) => query.where("line", ">", after ?? 0))
        .orderBy("line", isBack ? "desc" : "asc")
        .limit(limit + 1)
        .execute();
      const hasMore = rows.length > limit;
      const shown = isBack ? rows.slice(0, limit).reverse() : rows.slice(0, limit);
      return {
        lines: shown.map((line) => toLine(line, row)),
        isFirst: isBack ? !hasMore : after === undefined,
        isLast: isBack ? false : !hasMore,
      };
    },

    /**
     * Reads the lines that did not become submissions, in the file's order. Undefined while a worker goes through the lines: some
     * that are still to be stored would be among them.
     */
    async readRest(id: string) {
      const row = await findRow(id);
      if (!row || isWorking(row.state)) return undefined;
      const isOver = row.started_at !== null;
      const headers = getColumns(row).map(({ name }) => decodeCell(name, row.encoding));
      const batches = readInBatches(EXPORT_BATCH_SIZE, async (last: { line: number } | undefined) => {
        // Most lines may be left out, which takes long to find.
        const rows = await selectLines(database.longRead, id)
          .where("line", ">", last?.line ?? 0)
          .$if(isOver, (query) => query.where("submission_id", "is", null))
          .$if(!isOver, (query) => query.where("verdict", "!=", "new"))
          .orderBy("line")
          .limit(EXPORT_BATCH_SIZE)
          .execute();
        return rows.map((line) => fitCells(toLine(line, row), headers.length, row.delimiter));
      });
      return { fileName: row.file_name, headers, batches };
    },

    /** Removes what is no longer needed: uploads that nobody started, and the lines of imports that are long over. */
    async sweep(): Promise<void> {
      const now = clock();
      await database.write((trx) =>
        trx
          .updateTable("imports")
          .set({ state: "discarded" })
          .where("state", "in", ["reading", "uploaded", "checking", "checked"])
          .where("created_at", "<", now - UPLOAD_KEPT_MS)
          .execute(),
      );
      const over = await read
        .selectFrom("imports")
        .select(["id", "state"])
        .where(({ or, and, eb, exists, selectFrom }) =>
          or([
            eb("state", "=", "discarded"),
            and([
              // An import stays, and nothing is to be done for most of them.
              exists(
                selectFrom("import_lines")
                  .select("line")
                  .whereRef("import_lines.import_id", "=", "imports.id"),
              ),
              eb("state", "in", ["finished", "cancelled", "undone"]),
              eb("finished_at", "<", now - LINES_KEPT_MS),
              eb("settled_at", "is not", null),
            ]),
          ]),
        )
        .execute();
      for (const { id, state } of over) {
        await sweepInChunks(database, CHUNK, async (trx) => {
          const some = trx.selectFrom("import_lines").select("line").where("import_id", "=", id).limit(CHUNK);
          const { numDeletedRows } = await trx
            .deleteFrom("import_lines")
            .where("import_id", "=", id)
            .where("line", "in", some)
            .executeTakeFirst();
          return Number(numDeletedRows);
        });
        if (state !== "discarded") continue;
        await database.write((trx) => trx.deleteFrom("imports").where("id", "=", id).execute());
      }
    },
  };
}

interface UploadOptions {
  readonly delimiter?: Delimiter | undefined;
  /** Address of the account, or "command". */
  readonly by: string;
  /** Lines a transaction; left out: few, beside a server's requests. */
  readonly chunk?: number;
}

interface LinesPage {
  readonly verdict?: Verdict | undefined;
  /** Number of the line that bounds the page. */
  readonly before?: number | undefined;
  readonly after?: number | undefined;
  readonly limit: number;
}

/** Returns what is missing for a dry run, if anything. */
export function findSettingsProblem(
  { columns }: Pick<ImportView, "columns">,
  { mapping, consent, dateOrder }: Pick<ImportSettings, "mapping" | "consent" | "dateOrder">,
): SettingsProblem | undefined {
  if (mapping.email === undefined) return "email";
  if (mapping.consent === undefined && consent === "") return "consent";
  const dates = mapping.signed_up_at === undefined ? undefined : columns[mapping.signed_up_at];
  return dates?.needsOrder && dateOrder === "" ? "date-order" : undefined;
}

const selectLines = (db: Read, id: string) =>
  db
    .selectFrom("import_lines")
    .select(["line", "cells", "email_key", "verdict", "reason", "submission_id", "suppression_id"])
    .where("import_id", "=", id);

function canUndo(row: ImportRow, now: number): boolean {
  const { state, finished_at, stored_count, listed_count, settled_at } = row;
  if ((state !== "finished" && state !== "cancelled") || finished_at === null || settled_at !== null)
    return false;
  return stored_count + listed_count > 0 && now < finished_at + UNDO_MS;
}

function toView(row: ImportRow, now: number) {
  const { id, state, file_name, kind, line_count, stored_count, listed_count, kept_count } = row;
  const counts = getCounts(row);
  return {
    id,
    state,
    fileName: file_name,
    kind,
    isMirrored: row.is_mirrored === 1,
    settledAt: row.settled_at,
    lineCount: line_count,
    counts,
    checkedCount: Object.values(counts).reduce((sum, count) => sum + count, 0),
    storedCount: stored_count,
    listedCount: listed_count,
    keptCount: kept_count,
    createdBy: row.created_by,
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    undoUntil: canUndo(row, now) ? (row.finished_at ?? now) + UNDO_MS : undefined,
  };
}

function toLine(line: StoredLine, { encoding, mapping, state }: ImportRow) {
  const cells = getCells(line).map((cell) => decodeCell(cell, encoding));
  const { email = -1, name = -1, first_name = -1, last_name = -1 } = getMapping({ mapping });
  return {
    line: line.line,
    cells,
    email: cells[email] ?? line.email_key,
    name: cells[name] || [cells[first_name], cells[last_name]].filter(Boolean).join(" "),
    verdict: isVerdict(line.verdict) ? line.verdict : undefined,
    reason: line.reason as LineReason,
    submissionId: line.reason === "erased" ? null : line.submission_id,
    /** It would have been imported, but the import ended before, or was undone. */
    isLeft:
      line.verdict === "new" && line.submission_id === null && (state === "cancelled" || state === "undone"),
  };
}

/** Puts what a line has beyond the file's columns into the last one: an unquoted separator may have divided it. */
function fitCells(line: ImportedLine, columns: number, delimiter: string): ImportedLine {
  const { cells } = line;
  if (cells.slice(columns).every((cell) => cell.trim() === "")) return line;
  const last = columns - 1;
  return { ...line, cells: [...cells.slice(0, last), cells.slice(last).join(delimiter)] };
}
