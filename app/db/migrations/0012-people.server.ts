import { sql } from "kysely";
import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * What is kept of one address where no column of its own holds it in lower case. The other tables need nothing new:
 * submissions are found by their form, state and address, the ledger by its send and address.
 */
export const people: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create index bounces_of_address on bounces (lower(address))`.execute(db);
    await sql`create index outbox_mails_to on outbox_mails (lower(to_address))`.execute(db);
  },
};
