import { createHash } from "node:crypto";
import { sql, type ExpressionBuilder, type Selectable } from "kysely";
import type { Read, Write } from "~/db/database.server";
import type { Tables } from "~/db/tables";
import type { ImportsTable } from "~/db/tables/imports";
import type { ImportMapping } from "~/lib/import-columns";
import type { ImportReading } from "~/lib/import-line";
import type { FileColumn } from "~/lib/import-file";
import { COUNT_COLUMNS, VERDICTS, type StoredLine, type Verdict } from "./import-state";

export type ImportRow = Selectable<ImportsTable>;

export const getColumns = ({ columns }: Pick<ImportRow, "columns">) => JSON.parse(columns) as FileColumn[];

export const getMapping = ({ mapping }: Pick<ImportRow, "mapping">): ImportMapping =>
  mapping === "" ? {} : (JSON.parse(mapping) as ImportMapping);

export const getCells = ({ cells }: Pick<StoredLine, "cells">) => JSON.parse(cells) as string[];

/** Returns how the lines of a mapped import are read. */
export function getReading(row: ImportRow): ImportReading {
  return {
    encoding: row.encoding,
    headers: getColumns(row).map(({ name }) => name),
    mapping: getMapping(row),
    kind: row.kind === "" ? "early-access" : row.kind,
    consent: row.consent,
    dateOrder: row.date_order,
  };
}

/** Returns the hex SHA-256 of what a dry run is made with. */
export function getSettingsHash(row: ImportRow): string {
  const { encoding, kind, mapping, consent, date_order, is_mirrored } = row;
  return createHash("sha256")
    .update(JSON.stringify([encoding, kind, mapping, consent, date_order, is_mirrored]))
    .digest("hex");
}

/** Reads an import, and keeps others from changing it until the transaction ends. */
export const lockImport = (trx: Write, id: string): Promise<ImportRow | undefined> =>
  trx.selectFrom("imports").selectAll().where("id", "=", id).forUpdate().executeTakeFirst();

/** Changes an import, which the caller has locked. */
export async function updateImport(
  trx: Write,
  { id }: ImportRow,
  set: Partial<Omit<ImportRow, "id">>,
): Promise<void> {
  await trx.updateTable("imports").set(set).where("id", "=", id).execute();
}

/** Selects the lines that the work of an import's state has still to do, in order. */
export const selectNextLines = (read: Read, { id, last_line, state }: ImportRow) =>
  read
    .selectFrom("import_lines")
    .select(["line", "cells", "email_key", "verdict", "reason", "submission_id", "suppression_id"])
    .where("import_id", "=", id)
    .where("line", ">", last_line)
    .$if(state === "running", (query) => query.where(isToStore))
    .$if(state === "undoing" || state === "undone", (query) => query.where(isStored))
    .$if(state === "finished" || state === "cancelled", (query) => query.where(isToSettle))
    .orderBy("line");

type Lines = ExpressionBuilder<Tables, "import_lines">;

const isToStore = ({ or, and, eb }: Lines) =>
  or([eb("verdict", "=", "new"), and([eb("verdict", "=", "suppressed"), eb("reason", "=", "status")])]);

const isStored = ({ or, eb }: Lines) =>
  or([eb("submission_id", "is not", null), eb("suppression_id", "is not", null)]);

/** Also lines whose addresses were on the suppression list already, among them opt-outs. */
const isToSettle = (lines: Lines) => {
  const { or, and, eb } = lines;
  return or([isStored(lines), and([eb("verdict", "=", "suppressed"), eb("reason", "=", "listed")])]);
};

/** Writes what became of lines. */
export async function updateLines(trx: Write, id: string, lines: readonly StoredLine[]): Promise<void> {
  if (lines.length === 0) return;
  const rows = lines.map(
    ({ line, email_key, verdict, reason, submission_id, suppression_id }) =>
      sql`(cast(${line} as integer), ${email_key}, ${verdict}, ${reason}, ${submission_id ?? ""}, ${suppression_id ?? ""})`,
  );
  // One statement; column1 and so on are the names both databases give to the columns of VALUES.
  await sql`
    update import_lines set email_key = done.column2, verdict = done.column3, reason = done.column4,
      submission_id = nullif(done.column5, ''), suppression_id = nullif(done.column6, '')
    from (values ${sql.join(rows)}) as done
    where import_lines.import_id = ${id} and import_lines.line = done.column1
  `.execute(trx);
}

/** Returns what a change of lines adds to the counts by verdict. */
export function countChanges(before: readonly StoredLine[], after: readonly StoredLine[]) {
  const count = (lines: readonly StoredLine[], verdict: Verdict) =>
    lines.filter((line) => line.verdict === verdict).length;
  return Object.fromEntries(
    VERDICTS.map((verdict) => [COUNT_COLUMNS[verdict], count(after, verdict) - count(before, verdict)]),
  ) as Record<(typeof COUNT_COLUMNS)[Verdict], number>;
}

/** Returns the counts of an import by verdict. */
export function getCounts(row: ImportRow): Record<Verdict, number> {
  return Object.fromEntries(VERDICTS.map((verdict) => [verdict, row[COUNT_COLUMNS[verdict]]])) as Record<
    Verdict,
    number
  >;
}
