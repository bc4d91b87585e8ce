import type { PersonData } from "~/services/people/person-data";

/** Changes of an account's address to a person's: their links end with an erasure. An account itself stays. */
export const emailChangePersonData: PersonData = {
  name: "emailChanges",
  columns: { email_changes: "rows" },

  export: (read, emailKey) =>
    read
      .selectFrom("email_changes")
      .select(["email", "created_at", "expires_at", "confirmed_at", "withdrawn_at"])
      .where("email", "=", emailKey)
      .orderBy("id")
      .execute(),

  async erase(trx, emailKey) {
    await trx.deleteFrom("email_changes").where("email", "=", emailKey).execute();
  },
};
