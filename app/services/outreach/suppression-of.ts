import { sql } from "kysely";
import type { SuppressionsTable } from "~/db/tables/suppressions";

export interface Suppressible {
  /** Why this address gets no email, as of the claim. */
  readonly suppression: SuppressionsTable["reason"] | null;
}

/** The same as a column of a claim. */
export function suppressionOf(table: "deliveries" | "confirmations") {
  const reason = sql<Suppressible["suppression"]>`(
    select reason from suppressions where suppressions.email_key = ${sql.ref(`${table}.email_key`)}
  )`;
  return reason.as("suppression");
}
