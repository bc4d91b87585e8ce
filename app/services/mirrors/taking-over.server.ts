import { sql } from "kysely";
import type { Database, Write } from "~/db/database.server";
import type { SubmissionKind } from "~/db/tables/submissions";
import { emailKey } from "~/lib/email-address";
import { grouped } from "~/lib/format-number";
import { recordAudit, restateAudit } from "~/services/audit/audit.server";
import type { Clock } from "~/services/clock";
import type { NewId } from "~/services/ids.server";
import type { TypedSubmission } from "~/services/signups/typed-columns";
import { insertSubmission } from "~/services/submissions/submission-states.server";
import { noMirror } from "./mirror-queue.server";
import { fingerprintOf, isEmpty, submissionFrom } from "./mirror-cells.server";
import type { MirrorRow } from "./submission-mirror";

/** A row of a sheet that is not in our books. */
export interface FoundRow {
  /** Undefined: it stands where one of ours belongs, and gets a place of its own. */
  readonly place: number | undefined;
  readonly cells: MirrorRow;
}

/** Kept as the consent of whoever was put into the sheet by hand. */
const CONSENT = {
  wording: "Entered in the spreadsheet that submissions are copied to, and taken over from there.",
  wording_version: "spreadsheet-1",
  network: "",
} as const;

/** Rows of one write: a submission has some ten statements. */
const CHUNK = 50;

/**
 * Takes over what people wrote into a sheet: as submissions of ours, without a mail to anybody. Who is known already is not
 * stored twice; what is no submission only keeps its place. In short writes, in order; stopped half way, the rest is found
 * again by the next look at the sheet.
 * @returns how many became submissions.
 */
export async function takeOver(
  has: { database: Database; clock: Clock; newId: NewId; timed: boolean },
  kind: SubmissionKind,
  found: readonly FoundRow[],
): Promise<number> {
  const { database, clock, newId } = has;
  const entry = { id: newId(), at: clock(), actor: "system", action: "import-from-mirror" } as const;
  let taken = 0;
  for (let at = 0; at < found.length; at += CHUNK) {
    taken += await database.write(async (trx) => {
      let stored = 0;
      for (const row of found.slice(at, at + CHUNK)) stored += await takeRow(trx, has, kind, row);
      const count = taken + stored;
      const subject = `${grouped(count)} ${count === 1 ? "submission" : "submissions"} of ${kind}`;
      if (taken > 0) await restateAudit(trx, entry.id, subject);
      else if (stored > 0)
        await recordAudit(trx, { ...entry, subject, outcome: "ok", network: "", requestId: "" });
      return stored;
    });
  }
  return taken;
}

/** @returns 1 for a new submission. */
async function takeRow(
  trx: Write,
  { clock, newId, timed }: { clock: Clock; newId: NewId; timed: boolean },
  kind: SubmissionKind,
  { place, cells }: FoundRow,
): Promise<0 | 1> {
  const now = clock();
  const fingerprint = fingerprintOf(kind, cells, timed);
  const submission = isEmpty(cells) ? undefined : submissionFrom(kind, cells, now);
  const known = submission && (await knownAs(trx, kind, submission));
  if (submission && !known) {
    const id = newId();
    await insertSubmission(
      trx,
      {
        ...submission,
        id,
        kind,
        email_key: emailKey(submission.email),
        state: "accepted",
        quarantine_reason: "",
        admitted_at: now,
      },
      CONSENT,
      // Its row of the mirror is written below: the sheet has it already.
      noMirror,
    );
    const stands = { state: "written", place: place ?? null, fingerprint } as const;
    const waits = { state: "waiting", place: null, fingerprint: "" } as const;
    await trx
      .insertInto("mirror_rows")
      .values({ id, kind, detail: "", ...(place === undefined ? waits : stands) })
      .execute();
    return 1;
  }
  if (place === undefined) return 0;
  if (known?.isPlaced === false) {
    await trx
      .insertInto("mirror_rows")
      .values({ id: known.id, kind, place, state: "written", fingerprint, detail: "" })
      .onConflict((conflict) => conflict.column("id").doUpdateSet({ place, state: "written", fingerprint }))
      .execute();
    return 0;
  }
  await trx
    .insertInto("mirror_rows")
    .values({ id: newId(), kind, place, state: "foreign", fingerprint, detail: "" })
    .execute();
  return 0;
}

/** A signup is known by its address, an inquiry by its address and message. */
async function knownAs(trx: Write, kind: SubmissionKind, { email, message }: TypedSubmission) {
  const rows = await trx
    .selectFrom("submissions")
    .leftJoin("mirror_rows", "mirror_rows.id", "submissions.id")
    .select(["submissions.id", "message", "place"])
    .where("submissions.kind", "=", kind)
    .where("submissions.state", "=", "accepted")
    .where("email_key", "=", emailKey(email))
    // One that stands nowhere yet first, so that its own row is not written beside this one.
    .orderBy(sql`case when place is null then 0 else 1 end`)
    .orderBy("submissions.id")
    .execute();
  const same = rows.find((row) => row.message === message);
  return same && { id: same.id, isPlaced: same.place !== null };
}
