import type { PersonData } from "~/services/people/person-data";
import { ERASED } from "~/services/suppressions/suppressions.server";

/** The invitation of a person from the waiting list, and the address with which somebody joined. */
export const wavePersonData: PersonData = {
  name: "waveInvitation",
  columns: { wave_invitations: "rows" },

  export: (read, emailKey) =>
    read
      .selectFrom("wave_invitations")
      .innerJoin("people", "people.id", "wave_invitations.person_id")
      .leftJoin("campaigns", "campaigns.id", "wave_invitations.campaign_id")
      .select(["campaigns.wave", "wave_invitations.state", "reserved_at", "invited_at", "opened_at"])
      .select(["revoked_at", "asked_at", "joined_at", "joined_email", "reminded_at"])
      .where("people.email_key", "=", emailKey)
      .executeTakeFirst(),

  async erase(trx, emailKey) {
    const person = trx.selectFrom("people").select("id").where("email_key", "=", emailKey);
    await trx.deleteFrom("wave_invitations").where("person_id", "in", person).execute();
    // Of somebody else's invitation, with which this person joined.
    await trx
      .updateTable("wave_invitations")
      .set({ joined_email: ERASED })
      .where("joined_email", "=", emailKey)
      .execute();
  },
};
