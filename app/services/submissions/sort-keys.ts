import { sql, type Expression } from "kysely";
import type { SubmissionOrder } from "./submission-filter";

/** What submissions are sorted by before their ids, as in the indexes. */
export const SORT_KEYS = {
  received: undefined,
  name: sql<string>`lower(name)`,
  // With its table: suppressions, which a list joins, have one too.
  address: sql.ref<string>("submissions.email_key"),
  company: sql<string>`lower(company)`,
} satisfies Record<SubmissionOrder["sort"], Expression<string> | undefined>;
