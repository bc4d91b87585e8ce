import type { Read } from "~/db/database.server";
import type { AuditAction } from "./audit.server";

/** Who did something last, and when. Epoch milliseconds. */
export interface LatestAction {
  readonly by: string;
  readonly at: number;
}

/** Returns who did this last to each of the subjects, from the index `audit_by_action`; without those it was not done to. */
export async function getLatestActions(
  read: Read,
  action: AuditAction,
  subjects: readonly string[],
): Promise<Map<string, LatestAction>> {
  if (subjects.length === 0) return new Map();
  const rows = await read
    .selectFrom("audit")
    .select(["subject", "actor", "at"])
    .where("action", "=", action)
    .where("subject", "in", subjects)
    .orderBy("id")
    .execute();
  return new Map(rows.map(({ subject, actor, at }) => [subject, { by: actor, at }]));
}
