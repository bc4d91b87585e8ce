import type { PersonData } from "~/services/people/person-data";

/** The invitations of a person to the back office: their links end with an erasure. An account itself stays. */
export const invitationPersonData: PersonData = {
  name: "invitations",
  columns: { invitations: "rows" },

  export: (read, emailKey) =>
    read
      .selectFrom("invitations")
      .select(["email", "full_name", "created_at", "expires_at", "accepted_at", "revoked_at"])
      .where("email", "=", emailKey)
      .orderBy("id")
      .execute(),

  async erase(trx, emailKey) {
    await trx.deleteFrom("invitations").where("email", "=", emailKey).execute();
  },
};
