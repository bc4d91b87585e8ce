import type { Read } from "~/db/database.server";
import { fetchIds } from "~/db/rows";
import { emailKey } from "~/lib/email-address";
import { SUBMISSION_KINDS } from "~/lib/form-fields";
import { TYPED_COLUMNS } from "~/lib/typed-columns";
import { takePage } from "~/lib/list-page";
import { isUuid } from "~/lib/uuid";
import type { PersonColumns } from "./person-data";
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
  return takePage(pieces.flat(), { limit });
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

/** Where the person's submissions are; erased by `eraseSubmissions`. */
export const SUBMISSION_COLUMNS: PersonColumns = {
  submissions: "rows",
  consents: "rows",
  submission_fingerprints: "rows",
  search_documents: "rows",
  inquiry_documents: "rows",
};

/** Lists these submissions with their consents, newest first. */
export function listForms(read: Read, ids: readonly string[]) {
  return read
    .selectFrom("submissions")
    .leftJoin("consents", "consents.submission_id", "submissions.id")
    .select(["submissions.id", "kind", "state", "quarantine_reason", ...TYPED_COLUMNS])
    .select(["created_at", "admitted_at", "answered_at", "answered_by"])
    .select(["wording", "wording_version", "network", "given_at"])
    .where("submissions.id", "in", ids)
    .orderBy("submissions.id", "desc")
    .execute();
}
