import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import { isPostgres } from "../run-statements";

/**
 * Gives the emails of the outbox UUIDs that begin with their time, as all rows have: by the hashes before, whoever turned the
 * page saw the first one again. The digits of the hash stay in the rest.
 */
export const outboxIds: Migration = {
  async up(db) {
    const time = isPostgres(db) ? sql`lpad(to_hex(created_at), 12, '0')` : sql`printf('%012x', created_at)`;
    await sql`
      update outbox_emails set id = substr(${time}, 1, 8) || '-' || substr(${time}, 9, 4) || '-7' || substr(id, 1, 3)
        || '-8' || substr(id, 4, 3) || '-' || substr(id, 7, 12)
      where length(id) = 32
    `.execute(db);
  },
};
