import { z } from "zod";
import type { AuditEntry } from "~/services/audit/audit.server";
import type { JobResult } from "~/services/queue/job-type";

/** Who asked for an email, as its row keeps it for the audit. */
export const requesterData = z.object({ by: z.string(), network: z.string(), requestId: z.string() });

/** Returns the audit's outcome of an email that somebody asked for. */
export function toAuditOutcome({ state, detail }: JobResult): AuditEntry["outcome"] {
  if (state === "sent") return "ok";
  return state === "skipped" && detail === "suppressed" ? "refused" : "failed";
}
