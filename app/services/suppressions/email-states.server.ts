import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { AddressState } from "~/services/submissions/submission-filter";

/**
 * Condition on a row of a table with addresses.
 * @param how `hidden`: each row is looked up, in the order that the query follows. Otherwise the planner may begin with the
 *   suppressions, and has to sort what it finds.
 */
export function isInEmailState(
  table: "submissions" | "people",
  state: AddressState,
  { hidden }: { hidden: boolean },
): RawBuilder<SqlBool> {
  const key = sql.ref(`${table}.email_key`);
  const isOfAddress = sql`from suppressions where suppressions.email_key = ${key}`;
  if (state === "open") return sql`not exists (select 1 ${isOfAddress})`;
  const isReason = sql`reason ${sql.raw(state === "unsubscribed" ? "=" : "!=")} 'unsubscribed'`;
  if (hidden) return sql`exists (select 1 ${isOfAddress} and ${isReason})`;
  return sql`${key} in (select suppressions.email_key from suppressions where ${isReason})`;
}
