import type { Updateable } from "kysely";
import type { MirrorRowsTable, MirrorSheetsTable } from "~/db/tables/mirrors";
import { isUuid } from "~/lib/uuid";
import type { AuditAction } from "~/services/audit/actions";
import { createAudit, type Actor } from "~/services/audit/audit.server";
import type { ServiceDeps } from "~/services/service-deps";
import { countOpenRows, IS_OPEN, UNWRITTEN_STATES } from "./mirror-rows.server";
import { getSheet, NO_PROBLEM, updateSheet, type SheetUpdate } from "./mirror-sheets.server";
import { SUBMISSION_KINDS, type SubmissionKind } from "~/lib/form-fields";

/** States in which a row waits for an operator's decision. */
const UNDECIDED = ["uncertain", "refused", "left"] as const;
/** Counting limit; pages show larger numbers as "or more". */
export const COUNT_LIMIT = 100_000;
/** Number of rows a page lists per form and state. */
const LISTED_ROWS = 20;

type Mirrors = ReturnType<typeof createMirrors>;
export type MirrorOverview = Awaited<ReturnType<Mirrors["overview"]>>[number];

/**
 * Creates the service by which operators inspect and decide about the copies; the worker does the copying.
 * @param deps.wake wakes the worker when there may be work.
 */
export function createMirrors(deps: ServiceDeps & { wake: () => void }) {
  const { database, wake } = deps;
  const audit = createAudit(deps);
  const { read } = database;

  return {
    /** Returns the status of each copy, in the order of the forms. */
    overview: () => Promise.all(SUBMISSION_KINDS.map(async (kind) => withRows(await getSheet(read, kind)))),

    /** Counts the rows that wait for a decision, to three thousand per form. */
    async undecided(): Promise<number> {
      const counts = SUBMISSION_KINDS.map((kind) => countOpenRows(read, kind, UNDECIDED, 3000));
      return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
    },

    /** Requests a comparison of a sheet, which rewrites changed rows and imports new ones. */
    repair: (kind: SubmissionKind, actor: Actor) =>
      change(kind, "repair-mirror", { ...NO_PROBLEM, is_repair_requested: 1 }, actor),

    /** Retries a sheet after its problem was fixed. */
    retry: (kind: SubmissionKind, actor: Actor) => change(kind, "retry-mirror", NO_PROBLEM, actor),

    /**
     * Records an operator's decision about a row. "done": an uncertain row is in the mirror, or a row left
     * behind was removed by hand. "again": the row is to be written again.
     * @returns false when the row no longer waits for a decision.
     */
    async decide(id: string, decision: "done" | "again", actor: Actor): Promise<boolean> {
      if (!isUuid(id)) return false;
      const decided = await database.write(async (trx) => {
        const row = await trx
          .selectFrom("mirror_rows")
          .select(["kind", "state"])
          .where("id", "=", id)
          .forUpdate()
          .executeTakeFirst();
        const changes = row && CHANGES[decision][row.state];
        if (!row || !changes) return false;
        await trx.updateTable("mirror_rows").set(changes).where("id", "=", id).execute();
        await audit(trx, actor, { action: "decide-mirror-row", subject: row.kind });
        return true;
      });
      if (decided) wake();
      return decided;
    },
  };

  async function withRows(sheet: MirrorSheetsTable) {
    const { kind } = sheet;
    const [waiting, ...undecided] = await Promise.all([
      countOpenRows(read, kind, UNWRITTEN_STATES, COUNT_LIMIT),
      ...UNDECIDED.map((state) => listUndecidedRows(kind, state)),
    ]);
    const isMoreUndecided = undecided.some((rows) => rows.length > LISTED_ROWS);
    return {
      ...sheet,
      waiting,
      undecided: undecided.flatMap((rows) => rows.slice(0, LISTED_ROWS)),
      isMoreUndecided,
    };
  }

  async function listUndecidedRows(kind: SubmissionKind, state: (typeof UNDECIDED)[number]) {
    const rows = await read
      .selectFrom("mirror_rows")
      .leftJoin("submissions", (join) =>
        join.onRef("submissions.id", "=", "mirror_rows.id").on("submissions.state", "=", "accepted"),
      )
      .select(["mirror_rows.id", "place", "detail", "name", "email"])
      .where("mirror_rows.kind", "=", kind)
      .where(IS_OPEN)
      .where("mirror_rows.state", "=", state)
      .orderBy("mirror_rows.id")
      .limit(LISTED_ROWS + 1)
      .execute();
    return rows.map((row) => ({ ...row, state }));
  }

  async function change(kind: SubmissionKind, action: AuditAction, set: SheetUpdate, actor: Actor) {
    await database.write(async (trx) => {
      await updateSheet(trx, kind, set);
      await audit(trx, actor, { action, subject: kind });
    });
    wake();
  }
}

/** Queues a row for the next free place. */
const AGAIN = { state: "waiting", place: null, fingerprint: "", detail: "" } as const;
type RowChanges = Partial<Record<MirrorRowsTable["state"], Updateable<MirrorRowsTable>>>;
const CHANGES: Record<"done" | "again", RowChanges> = {
  done: { uncertain: { state: "written", detail: "" }, left: { state: "foreign", detail: "" } },
  again: { uncertain: AGAIN, refused: AGAIN },
};
