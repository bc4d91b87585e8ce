import { sql } from "kysely";
import type { Read } from "~/db/database.server";
import { countRows, fetchIds } from "~/db/rows";
import { emailKey } from "~/lib/email-address";
import { newestIds } from "~/lib/newest-ids";
import { isUuid } from "~/lib/uuid";
import { listReturnedDeliveries } from "~/services/outreach/campaign-stats.server";
import { SUBMISSION_KINDS, TYPED_COLUMNS } from "~/services/signups/typed-columns";
import { STATES } from "~/services/submissions/submission-states.server";

/** Finds the address of a submission, by which the person's other rows are found. */
export async function findAddress(read: Read, submissionId: string) {
  if (!isUuid(submissionId)) return undefined;
  return read
    .selectFrom("submissions")
    .select(["email", "email_key", "kind"])
    .where("id", "=", submissionId)
    .executeTakeFirst();
}

/** Lists ids of submissions from an address, newest first: twelve lookups in one index (kind, state). */
export async function listSubmissionIds(read: Read, email_key: string, limit: number): Promise<string[]> {
  const pieces = await Promise.all(
    SUBMISSION_KINDS.flatMap((kind) =>
      STATES.map((state) =>
        fetchIds(
          read
            .selectFrom("submissions")
            .select("id")
            .where("kind", "=", kind)
            .where("state", "=", state)
            .where("email_key", "=", email_key)
            .orderBy("id", "desc")
            .limit(limit),
        ),
      ),
    ),
  );
  return newestIds(pieces.flat(), limit);
}

/** Finds the newest submission of each of these addresses, by the address in lower case. */
export async function findNewestSubmissions(
  read: Read,
  addresses: readonly string[],
): Promise<Map<string, string>> {
  if (addresses.length === 0) return new Map();
  const rows = await read
    .selectFrom("submissions")
    .select(({ fn }) => ["email_key", fn.max("id").as("id")])
    // Written out, so that each is one lookup in the index.
    .where("kind", "in", SUBMISSION_KINDS)
    .where("state", "in", STATES)
    .where("email_key", "in", [...new Set(addresses.map(emailKey))])
    .groupBy("email_key")
    .execute();
  return new Map(rows.map(({ email_key, id }) => [email_key, id]));
}

/** Lists these submissions with their consents, newest first. */
export function listForms(read: Read, ids: readonly string[]) {
  return read
    .selectFrom("submissions")
    .leftJoin("consents", "consents.submission_id", "submissions.id")
    .select(["submissions.id", "kind", "state", "quarantine_reason", ...TYPED_COLUMNS])
    .select(["created_at", "admitted_at"])
    .select(["wording", "wording_version", "network", "given_at"])
    .where("submissions.id", "in", ids)
    .orderBy("submissions.id", "desc")
    .execute();
}

/**
 * Selects the deliveries of an address. Looks the address up in each campaign, by the index of deliveries:
 * campaigns are few, and an index by address would make every delivery more expensive. SQLite executes a cross
 * join in the written order; otherwise it would read all deliveries.
 */
function selectDeliveries(read: Read, email_key: string) {
  return read
    .selectFrom("campaigns")
    .crossJoin("deliveries")
    .whereRef("deliveries.campaign_id", "=", "campaigns.id")
    .where("deliveries.email_key", "=", email_key);
}

/** Lists the deliveries to an address, of the latest campaign first. */
export async function listDeliveries(read: Read, email_key: string, limit?: number) {
  let query = selectDeliveries(read, email_key)
    .select(["deliveries.id", "campaign_id", "title", "deliveries.state", "detail", "attempts", "message_id"])
    .select(["address", "name", "updated_at"])
    .orderBy("campaigns.id", "desc");
  if (limit !== undefined) query = query.limit(limit);
  const rows = await query.execute();
  const returned = await listReturnedDeliveries(read, rows);
  return rows.map((row) => ({ ...row, returned: returned.get(row.id) }));
}

/** Counts the deliveries to an address. */
export const countDeliveriesTo = (read: Read, email_key: string): Promise<number> =>
  countRows(selectDeliveries(read, email_key));

/** Reads the state of an address, the reports about it, and the emails to it in the outbox. */
export async function readEmailState(read: Read, email_key: string) {
  const [confirmation, suppression, reports, outbox] = await Promise.all([
    read
      .selectFrom("confirmations")
      .select(["address", "requested_at", "confirmed_at", "state", "detail", "attempts", "updated_at"])
      .where("email_key", "=", email_key)
      .executeTakeFirst(),
    read
      .selectFrom("suppressions")
      .select(["address", "reason", "detail", "opted_out", "created_at"])
      .where("email_key", "=", email_key)
      .executeTakeFirst(),
    read
      .selectFrom("bounces")
      .select(["type", "permanent", "address", "reason", "happened_at", "received_at"])
      .where(sql<string>`lower(address)`, "=", email_key)
      .orderBy("happened_at", "desc")
      .execute(),
    read
      .selectFrom("outbox_emails")
      .select(["id", "subject", "message_id", "file", "created_at"])
      .where(sql<string>`lower(to_address)`, "=", email_key)
      .orderBy("id")
      .execute(),
  ]);
  return { confirmation, suppression, reports, outbox };
}
