import type { Read, Write } from "~/db/database.server";
import { minutes } from "~/lib/durations";
import { isUuid } from "~/lib/uuid";
import { createAudit, type Actor } from "~/services/audit/audit.server";
import type { ServiceDeps } from "~/services/service-deps";
import type { SignedIn } from "~/services/sessions/sessions.server";
import type { PersonData } from "./person-data";
import { findOrAddPerson } from "./person-rows.server";

/** In code points. */
export const NOTE_MAX_LENGTH = 5000;
/** The same note again within this time is a repeated press, because no answer came to the first. */
const SAME_MS = minutes(10);

/** Operators' notes about people. The audit names the person, and never has a note's text. */
export function createNotes(deps: ServiceDeps) {
  const { database, clock, newId } = deps;
  const audit = createAudit(deps);

  return {
    /**
     * Adds a note about the person with this id. What their newest note says already, by the same operator in the last ten
     * minutes, is not added twice.
     * @param text cleaned, not empty, at most `NOTE_MAX_LENGTH`.
     * @returns false when there is no such person any more.
     */
    add(personId: string, text: string, actor: Actor): Promise<boolean> {
      return database.write(async (trx) => {
        const person = await findOrAddPerson(trx, personId);
        if (!person) return false;
        // Locked, because a colleague may be erasing them at this moment.
        const locked = trx.selectFrom("people").select("id").where("id", "=", person.id).forUpdate();
        if (!(await locked.executeTakeFirst())) return false;
        const note = { id: newId(), person_id: person.id, text, author: actor.by, created_at: clock() };
        const newest = await trx
          .selectFrom("person_notes")
          .select(["text", "author", "created_at"])
          .where("person_id", "=", person.id)
          .orderBy("id", "desc")
          .limit(1)
          .executeTakeFirst();
        const isSame = newest?.text === text && newest.author === note.author;
        if (isSame && newest.created_at > note.created_at - SAME_MS) return true;
        await trx.insertInto("person_notes").values(note).execute();
        await audit(trx, actor, { action: "add-note", subject: person.email });
        return true;
      });
    },

    /** Removes a note for good. Only its author and superadmins may. @returns whether it was removed. */
    remove(id: string, operator: Pick<SignedIn, "email" | "role">, actor: Actor): Promise<boolean> {
      if (!isUuid(id)) return Promise.resolve(false);
      return database.write(async (trx) => {
        const note = await trx
          .deleteFrom("person_notes")
          .where("id", "=", id)
          .$if(operator.role !== "superadmin", (query) => query.where("author", "=", operator.email))
          .returning("person_id")
          .executeTakeFirst();
        if (!note) return false;
        const { email } = await trx
          .selectFrom("people")
          .select("email")
          .where("id", "=", note.person_id)
          .executeTakeFirstOrThrow();
        await audit(trx, actor, { action: "remove-note", subject: email });
        return true;
      });
    },
  };
}

/** Makes the new address of an operator the author of their notes, so that a later account with the old one cannot remove them. */
export async function moveNotes(trx: Write, { from, to }: { from: string; to: string }): Promise<void> {
  await trx.updateTable("person_notes").set({ author: to }).where("author", "=", from).execute();
}

/** Lists the newest notes about a person. */
export function listNotes(read: Read, personId: string, limit: number) {
  return read
    .selectFrom("person_notes")
    .select(["id", "text", "author", "created_at"])
    .where("person_id", "=", personId)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

/** What operators noted about a person. */
export const notesPersonData: PersonData = {
  name: "notes",
  columns: { person_notes: "rows" },

  export: (read, emailKey) =>
    read
      .selectFrom("person_notes")
      .innerJoin("people", "people.id", "person_notes.person_id")
      .select(["person_notes.text", "person_notes.author", "person_notes.created_at"])
      .where("people.email_key", "=", emailKey)
      .orderBy("person_notes.id", "desc")
      .execute(),

  async erase(trx, emailKey) {
    const person = trx.selectFrom("people").select("id").where("email_key", "=", emailKey);
    await trx.deleteFrom("person_notes").where("person_id", "in", person).execute();
  },
};
