import { sql } from "kysely";
import type { InquiryState } from "./submission-filter";

/**
 * Creates the condition for inquiries in a state. Literals, because otherwise SQLite does not use the partial indexes
 * `submissions_open_inquiries` and `submissions_answered_inquiries`.
 * @param how `hidden` hides the column from the planner (submissions/matching.server.ts).
 */
export function isInquiryIn(state: InquiryState, { hidden = false }: { hidden?: boolean } = {}) {
  const is = state === "open" ? sql`is null` : sql`is not null`;
  if (hidden) return sql<boolean>`(answered_at + 0) ${is}`;
  return sql<boolean>`kind = 'contact-form' and answered_at ${is}`;
}
