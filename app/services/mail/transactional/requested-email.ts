import { z } from "zod";
import type { Actor, AuditEntry } from "~/services/audit/audit.server";
import type { JobResult } from "~/services/queue/job-type";

/** Who asked for an email, as its row keeps it for the audit. */
export const requesterData = z.object({ by: z.string(), network: z.string(), requestId: z.string() });

/** Returns what an email's row keeps of who asked for it: an actor may know more, such as their browser. */
export const toRequester = ({ by, network, requestId }: Actor): z.infer<typeof requesterData> => ({
  by,
  network,
  requestId,
});

/** Returns the audit's outcome of an email that somebody asked for. Failed includes uncertain: it may have arrived. */
export function toAuditOutcome({ state, detail }: JobResult): AuditEntry["outcome"] {
  if (state === "sent") return "ok";
  return state === "skipped" && detail === "suppressed" ? "refused" : "failed";
}
