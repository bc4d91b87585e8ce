import type { Read, Write } from "~/db/database.server";
import { fetchIds } from "~/db/rows";
import { emailKey } from "~/lib/email-address";
import { SUBMISSION_KINDS } from "~/lib/form-fields";
import { TYPED_COLUMNS } from "~/lib/typed-columns";
import { takePage } from "~/lib/list-page";
import { isUuid } from "~/lib/uuid";
import type { PersonColumns } from "./person-data";
import { refreshPeople } from "./people-rows.server";
import { SUBMISSION_STATES } from "~/services/submissions/submission-state";

/** Finds a person by their own id or, as lists of submissions link to them, by the id of any of their submissions. */
export async function findPerson(read: Read, id: string) {
  if (!isUuid(id)) return undefined;
  const person = await findRow(read, "id", id);
  if (person) return person;
  const submissions = read
    .selectFrom("submissions")
    .select(["id", "email", "email_key", "name", "company", "role", "state", "created_at"]);
  const submission = await submissions.where("id", "=", id).executeTakeFirst();
  if (!submission) return undefined;
  const known = await findRow(read, "email_key", submission.email_key);
  if (known) return known;
  // After an update, people are added one after the other (fill-people.server.ts).
  const { state, created_at, ...fields } = submission;
  return { ...fields, first_signup_at: state === "accepted" ? created_at : null };
}

/** Finds a person as `findPerson` does, and adds one of an earlier version who is not added yet. */
export async function findOrAddPerson(trx: Write, id: string) {
  const person = await findPerson(trx, id);
  if (!person || (await findRow(trx, "id", person.id))) return person;
  await refreshPeople(trx, [person]);
  return findRow(trx, "email_key", person.email_key);
}

const findRow = (read: Read, by: "id" | "email_key", value: string) =>
  read
    .selectFrom("people")
    .select(["id", "email", "email_key", "name", "company", "role", "first_signup_at"])
    .where(by, "=", value)
    .executeTakeFirst();

/** Lists ids of submissions from an address, newest first: twelve lookups in one index (kind, state). */
export async function listSubmissionIds(read: Read, email_key: string, limit: number): Promise<string[]> {
  const pieces = await Promise.all(
    SUBMISSION_KINDS.flatMap((kind) =>
      SUBMISSION_STATES.map((state) =>
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

/** Finds the ids of the people with these addresses, by the address in lower case. */
export async function findPeople(read: Read, addresses: readonly string[]): Promise<Map<string, string>> {
  if (addresses.length === 0) return new Map();
  const rows = await read
    .selectFrom("people")
    .select(["email_key", "id"])
    .where("email_key", "in", [...new Set(addresses.map(emailKey))])
    .execute();
  return new Map(rows.map(({ email_key, id }) => [email_key, id]));
}

/** Where the person's submissions are; erased by `eraseSubmissions`. */
export const SUBMISSION_COLUMNS: PersonColumns = {
  submissions: "rows",
  consents: "rows",
  submission_fingerprints: "rows",
  submission_documents: "rows",
  inquiry_documents: "rows",
};

/** Lists these submissions with their consents, newest first. */
export async function listSubmissions(read: Read, ids: readonly string[]) {
  // Of a person who was erased, or got another address, since they were found.
  if (ids.length === 0) return [];
  return read
    .selectFrom("submissions")
    .leftJoin("consents", "consents.submission_id", "submissions.id")
    .leftJoin("imports", "imports.id", "submissions.import_id")
    .select([
      "submissions.id",
      "submissions.kind",
      "submissions.state",
      "quarantine_reason",
      ...TYPED_COLUMNS,
    ])
    .select(["submissions.created_at", "source", "admitted_at", "answered_at", "answered_by"])
    .select(["import_id as importId", "file_name as importedFrom"])
    .select(["wording", "wording_version", "network", "given_at"])
    .where("submissions.id", "in", ids)
    .orderBy("submissions.id", "desc")
    .execute();
}
