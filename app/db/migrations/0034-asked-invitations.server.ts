import type { Migration } from "kysely/migration";
import { runStatements } from "../run-statements";

/** Indexes the few who asked for a new link, for their list and for the page of their wave (docs/decisions/0124). */
export const askedInvitations: Migration = {
  up: (db) =>
    runStatements(db, [
      `create index wave_invitations_asked on wave_invitations (campaign_id, person_id)
        where asked_at is not null and state <> 'joined' and revoked_at is null`,
    ]),
};
