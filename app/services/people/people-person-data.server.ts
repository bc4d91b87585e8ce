import type { PersonData } from "./person-data";

/** The person's row and its words for the search. Nothing erases them here: both are deleted with the last submission. */
export const peoplePersonData: PersonData = {
  name: "person",
  columns: { people: "rows", people_documents: "rows" },

  export: (read, emailKey) =>
    read.selectFrom("people").selectAll().where("email_key", "=", emailKey).executeTakeFirst(),
};
