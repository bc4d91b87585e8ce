import type { Database } from "~/db/database.server";
import { minutes } from "~/lib/durations";
import { consume } from "~/services/attempts/attempts.server";
import type { Clock } from "~/services/clock";
import type { NewId } from "~/services/ids.server";
import type { Provenance } from "./audit.server";
import { createAudit } from "./audit.server";

/** Repeated requests for a page are one entry per window, and no account fills the audit with many pages. */
const PER_PAGE = { allowed: 1, windowMs: minutes(15) };
const PER_ACCOUNT = { allowed: 20, windowMs: minutes(15) };
const MAX_PATH_LENGTH = 200;

export type Denials = ReturnType<typeof createDenials>;

/**
 * Records requests for pages that the person's role does not allow (C36): at most one entry per account, page
 * and 15 minutes.
 */
export function createDenials(deps: { database: Database; clock: Clock; newId: NewId }) {
  return {
    async record(
      who: { accountId: string; email: string },
      pathname: string,
      origin: Provenance,
    ): Promise<void> {
      const page = pathname.slice(0, MAX_PATH_LENGTH);
      const key = `denied:${who.accountId}`;
      await deps.database.write(async (trx) => {
        const attempt = await consume(
          trx,
          { [key]: PER_ACCOUNT, [`${key}:${page}`]: PER_PAGE },
          deps.clock(),
        );
        if (!attempt.ok) return;
        await createAudit(deps)(
          trx,
          { ...origin, by: who.email },
          { action: "deny-access", subject: page, outcome: "refused" },
        );
      });
    },
  };
}
