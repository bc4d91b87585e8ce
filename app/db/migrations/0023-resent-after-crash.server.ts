import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** Whether a mail was sent again because of a crash, which happens once (decision 5). */
export const resentAfterCrash: Migration = {
  async up({ schema }: Kysely<unknown>) {
    for (const queue of ["deliveries", "confirmations"]) {
      await schema
        .alterTable(queue)
        .addColumn("resent_after_crash", "integer", (column) => column.notNull().defaultTo(0))
        .execute();
    }
  },
};
