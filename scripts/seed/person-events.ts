import { days, minutes } from "~/lib/durations";
import { createCorrections } from "~/services/people/corrections.server";
import { createNotes } from "~/services/people/notes.server";
import type { PastEvent, PastTools } from "./past";

const NOTES = [
  "Met at the trade fair. Wants to see the summaries in German before they decide.",
  "Called: they start in January with two teams, and decide about the rest in spring.",
  "Prefers to be written to, not called.",
] as const;

/** Seeds what operators noted about the newest people with a company, and the correction of a mistyped address. */
export function createPersonEvents(tools: PastTools): PastEvent[] {
  const { database, now, operator } = tools;
  const notes = createNotes(tools);
  const corrections = createCorrections({
    ...tools,
    requestConfirmation: async () => undefined,
    wake: () => undefined,
  });

  return [
    ...NOTES.map((text, index) => ({
      at: now - days(index + 1),
      do: async () => {
        const person = await findPerson(index);
        if (person) await notes.add(person.id, text, operator());
      },
    })),
    { at: now - minutes(90), do: correctAddress },
  ];

  /** Finds one of the latest people, counted from the newest. */
  function findPerson(offset: number) {
    return database.read
      .selectFrom("people")
      .select(["id", "name", "email", "company", "role"])
      .where("company", "!=", "")
      .orderBy("id", "desc")
      .limit(1)
      .offset(offset)
      .executeTakeFirst();
  }

  async function correctAddress(): Promise<void> {
    const person = await findPerson(0);
    if (!person) return;
    const { id, ...shown } = person;
    const typed = { ...shown, email: shown.email.replace("@", ".work@") };
    const reason = "They wrote that the first address is their private one.";
    await corrections.correct(id, { shown, typed, reason, mergeWith: "" }, operator());
  }
}
