import type { PersonData } from "~/services/people/person-data";

/**
 * Devices of users of the application whom it names by their address. Visitors are anonymous, and a user who is named by
 * an id is known to the application alone, which removes their devices by its call.
 */
export const devicePersonData: PersonData = {
  name: "devices",
  columns: { devices: "rows" },

  export: (read, emailKey) =>
    read
      .selectFrom("devices")
      .select(["uid", "app_type", "tenant_id", "kind", "endpoint", "created_at", "last_seen_at"])
      .where("uid", "=", emailKey)
      .orderBy("id")
      .execute(),

  async erase(trx, emailKey) {
    await trx.deleteFrom("devices").where("uid", "=", emailKey).execute();
  },
};
