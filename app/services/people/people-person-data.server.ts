import type { PersonData } from "./person-data";

/** The person's own row, which goes with their last submission. */
export const peoplePersonData: PersonData = {
  name: "person",
  columns: { people: "rows", people_documents: "rows" },

  export: (read, emailKey) =>
    read.selectFrom("people").selectAll().where("email_key", "=", emailKey).executeTakeFirst(),
};
