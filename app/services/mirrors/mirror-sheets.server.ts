import { sql } from "kysely";
import type { Database, Read, Write } from "~/db/database.server";
import { hasRows } from "~/db/rows";
import type { MirrorSheetsTable } from "~/db/tables/mirrors";
import { seconds } from "~/lib/durations";
import { isLeaseOver, LEASE_RENEWAL_INTERVAL_MS, type Lessee } from "~/services/queue/leases.server";
import { IS_OPEN, UNWRITTEN_STATES } from "./mirror-rows.server";
import type { SubmissionKind } from "~/lib/form-fields";

/** Lease of a sheet; longer work renews it. When an instance is gone, another one takes over after this time. */
const LEASE_MS = seconds(30);

/** Values of a sheet without a problem. */
export const NO_PROBLEM = { problem: "", detail: "", not_before: 0 } as const;

export function getSheet(read: Read, kind: SubmissionKind): Promise<MirrorSheetsTable> {
  return read.selectFrom("mirror_sheets").selectAll().where("kind", "=", kind).executeTakeFirstOrThrow();
}

/** The process that writes a sheet. */
export interface SheetWriter extends Lessee {
  /** See isLeaseOver. */
  readonly isStarting: boolean;
}

/** Claims or extends the lease of a sheet: one process at a time writes it. */
export async function claimSheet(trx: Write, kind: SubmissionKind, writer: SheetWriter) {
  const { owner, leaseTime, isStarting } = writer;
  const isOver = isLeaseOver(writer, { durationMs: LEASE_MS, isStarting });
  const { numUpdatedRows } = await trx
    .updateTable("mirror_sheets")
    .set({ lease_owner: owner, lease_until: sql`${leaseTime.now()} + ${LEASE_MS}` })
    .where("kind", "=", kind)
    .where(sql<boolean>`(${isOver} or lease_owner = ${owner})`)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Runs `work` and renews the lease meanwhile: a call of the mirror may take longer than a lease. */
export async function withLeaseRenewal<T>(
  database: Database,
  kind: SubmissionKind,
  writer: SheetWriter,
  work: () => Promise<T>,
): Promise<T> {
  // Only a start takes a lease over early.
  const renew = () => database.write((trx) => claimSheet(trx, kind, { ...writer, isStarting: false }));
  // An unavailable database shows when the result of the work is recorded.
  const renewing = setInterval(() => void renew().catch(() => undefined), LEASE_RENEWAL_INTERVAL_MS);
  try {
    return await work();
  } finally {
    clearInterval(renewing);
  }
}

export type SheetUpdate = Partial<Omit<MirrorSheetsTable, "kind">>;

export async function updateSheet(trx: Write, kind: SubmissionKind, set: SheetUpdate): Promise<void> {
  await trx.updateTable("mirror_sheets").set(set).where("kind", "=", kind).execute();
}

/** Returns whether a sheet has rows to be written, or rows of a write without a result. */
export function hasWork({ read }: Database, kind: SubmissionKind): Promise<boolean> {
  const open = read.selectFrom("mirror_rows").where("kind", "=", kind).where(IS_OPEN);
  return hasRows(open.where("state", "in", UNWRITTEN_STATES));
}
