import type { Migration } from "kysely/migration";
import { runStatements } from "../run-statements";

/** Creates the order in which programs read signups (services/signups/signup-feed.server.ts). */
export const signupFeed: Migration = {
  up: (db) =>
    runStatements(db, [
      // No other query says the second condition, which always holds: the databases would take the index for them, too.
      `create index submissions_by_position on submissions (kind, audience_position, id)
        where state = 'accepted' and audience_position >= 0`,
    ]),
};
