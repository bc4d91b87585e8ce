import type { Read, Write } from "~/db/database.server";
import { emailKey } from "~/lib/email-address";
import { lockPreparing } from "~/services/outreach/campaigns.server";
import { rejoinAudiences } from "~/services/signups/audience-position.server";
import { eraseSubmissions } from "~/services/submissions/submission-states.server";
import { addCurrentAddresses, type Suppression } from "~/services/suppressions/suppressions.server";
import { selectNextLines, updateImport, updateLines, type ImportRow } from "./import-rows.server";
import type { StoredLine } from "./import-state";

/**
 * Removes what the next lines have stored, except of people who got an email or joined since. A line has stored a submission
 * or a suppression, never both.
 * @returns true: there may be more to do.
 */
export async function undoLines(trx: Write, row: ImportRow, limit: number): Promise<boolean> {
  const before = await selectNextLines(trx, row).limit(limit).execute();
  if (before.length === 0) {
    await updateImport(trx, row, { state: "undone", last_line: 0 });
    return true;
  }
  // Somebody whom a campaign copies meanwhile would be removed, and still get its email.
  await lockPreparing(trx);
  const stored = before.flatMap(({ submission_id }) => submission_id ?? []);
  const since = row.started_at ?? row.created_at;
  const kept = await listKept(trx, before, since);
  const after = before.map((line): StoredLine => {
    if (line.submission_id === null) return { ...line, suppression_id: null };
    if (kept.has(line.submission_id)) return { ...line, reason: "written-to" };
    return { ...line, submission_id: null };
  });
  const erased = before.flatMap((line, index) =>
    line.submission_id !== null && after[index]?.submission_id === null ? [line.submission_id] : [],
  );
  await eraseSubmissions(trx, erased);
  const released = await removeSuppressions(
    trx,
    before.flatMap((line) => line.suppression_id ?? []),
    since,
  );
  await updateLines(trx, row.id, after);
  await updateImport(trx, row, {
    stored_count: row.stored_count - erased.length,
    listed_count: row.listed_count - released,
    kept_count: row.kept_count + stored.length - erased.length,
    last_line: after.at(-1)?.line ?? 0,
  });
  return true;
}

/**
 * Removes suppressions as long as they are what the import made of them, and those that corrections made of these.
 * @returns how many, without those of corrections.
 */
async function removeSuppressions(trx: Write, ids: readonly string[], since: number): Promise<number> {
  if (ids.length === 0) return 0;
  const rows = await trx
    .deleteFrom("suppressions")
    .where("id", "in", ids)
    .where("reason", "=", "imported")
    .where("opted_out", "=", 0)
    .returning(["address", "email_key", "detail"])
    .execute();
  const carried = await removeCarriedSuppressions(trx, rows, since);
  await rejoinAudiences(trx, [...rows.map(({ email_key }) => email_key), ...carried]);
  return rows.length;
}

/**
 * Removes what a correction since has made of such suppressions at the person's new address (`carrySuppression`).
 * @returns the addresses of those it removed.
 */
async function removeCarriedSuppressions(
  trx: Write,
  removed: readonly Pick<Suppression, "address" | "detail">[],
  since: number,
): Promise<string[]> {
  const all = await addCurrentAddresses(
    trx,
    removed.map(({ address, detail }) => ({ address, detail, deliveryId: null })),
  );
  const keys: string[] = [];
  for (const { address, detail } of all.slice(removed.length)) {
    const row = await trx
      .deleteFrom("suppressions")
      .where("email_key", "=", emailKey(address))
      .where("reason", "=", "imported")
      .where("opted_out", "=", 0)
      .where("detail", "=", detail)
      // What an import listed by itself is as old as that import.
      .where("created_at", ">", since)
      .returning("email_key")
      .executeTakeFirst();
    if (row) keys.push(row.email_key);
  }
  return keys;
}

/**
 * Returns the submissions of these lines whose people an undo leaves: who got an email since, at any address they had,
 * are about to get one, or are invited or joined.
 */
async function listKept(trx: Write, lines: readonly StoredLine[], since: number): Promise<Set<string>> {
  const ids = lines.flatMap(({ submission_id }) => submission_id ?? []);
  if (ids.length === 0) return new Set();
  // What was sent before a correction of the address stays under the old one.
  const owners = await trx
    .selectFrom("submissions")
    .leftJoin("people", "people.email_key", "submissions.email_key")
    .leftJoin("person_corrections", "person_corrections.person_id", "people.id")
    .leftJoin("wave_invitations", "wave_invitations.person_id", "people.id")
    .select(["submissions.id", "submissions.email_key", "people.id as person_id", "former_key"])
    .select("wave_invitations.id as invitation_id")
    .where("submissions.id", "in", ids)
    .execute();
  const writtenTo = await listWrittenTo(
    trx,
    owners.flatMap(({ email_key, former_key }) => [email_key, ...(former_key ? [former_key] : [])]),
    since,
  );
  const chosen = await listChosen(
    trx,
    owners.flatMap(({ person_id }) => person_id ?? []),
  );
  const kept = owners.filter(
    ({ email_key, former_key, person_id, invitation_id }) =>
      writtenTo.has(email_key) ||
      writtenTo.has(former_key ?? "") ||
      chosen.has(person_id ?? "") ||
      invitation_id !== null,
  );
  return new Set(kept.map(({ id }) => id));
}

/**
 * Returns which of these people a campaign is about to write to, before their deliveries are created: `campaign_people` keeps
 * them only until then.
 */
async function listChosen(read: Read, personIds: readonly string[]): Promise<Set<string>> {
  if (personIds.length === 0) return new Set();
  // By the index of each campaign, as in frozen-people.server.ts.
  const rows = await read
    .selectFrom("campaigns")
    .crossJoin("campaign_people")
    .select("person_id")
    .whereRef("campaign_people.campaign_id", "=", "campaigns.id")
    .where("person_id", "in", personIds)
    .execute();
  return new Set(rows.map(({ person_id }) => person_id));
}

/** Returns which of these addresses got an email since, or are about to get one. */
async function listWrittenTo(read: Read, keys: readonly string[], since: number): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  // By the index of each campaign, as in delivery-person-data.server.ts.
  const deliveries = await read
    .selectFrom("campaigns")
    .crossJoin("deliveries")
    .select("deliveries.email_key")
    .whereRef("deliveries.campaign_id", "=", "campaigns.id")
    .where("deliveries.email_key", "in", keys)
    .where("deliveries.state", "!=", "skipped")
    .where("deliveries.updated_at", ">=", since)
    .execute();
  const others = await read
    .selectFrom("transactional_emails")
    .select("email_key")
    .where("email_key", "in", keys)
    .where("state", "!=", "skipped")
    .where("created_at", ">=", since)
    .execute();
  return new Set([...deliveries, ...others].map(({ email_key }) => email_key));
}
