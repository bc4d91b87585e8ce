import type { Database } from "~/db/database.server";
import type { PersonFields } from "~/services/people/corrected-columns";
import { createCorrections } from "~/services/people/corrections.server";
import { newId } from "~/services/service-deps";
import { createTestConfirmations } from "./confirmations";
import { operator } from "./outreach";
import { createTestPeople } from "./people";

/** Creates corrections of people on a database, with a clock the test moves. */
export function createTestCorrections(database: Database, options: { maxCorrected?: number } = {}) {
  const { clock, confirmations, mailer, send } = createTestConfirmations(database);
  const corrections = createCorrections({
    database,
    clock,
    newId,
    requestConfirmation: confirmations.request,
    wake: () => undefined,
    ...options,
  });
  const { peopleOn, listTablesNaming } = createTestPeople(database, "");

  const find = async (id: string) => (await peopleOn().find(id, { limit: 50 }))!;

  async function getFields(id: string): Promise<PersonFields> {
    const { address, name, company, role } = await find(id);
    return { email: address, name, company, role };
  }

  /** Corrects a person as they are shown now. */
  async function correct(id: string, changes: Partial<PersonFields>, options: { mergeWith?: string } = {}) {
    const shown = await getFields(id);
    const typed = { ...shown, ...changes };
    return corrections.correct(
      id,
      { shown, typed, reason: "As told on the phone", mergeWith: "", ...options },
      operator,
    );
  }

  /** Corrects a person, and returns the correction's id. */
  async function corrected(id: string, ...parameters: [Partial<PersonFields>, { mergeWith?: string }?]) {
    const outcome = await correct(id, ...parameters);
    if (!outcome.ok) throw new Error(outcome.error);
    return outcome.id;
  }

  return {
    clock,
    corrections,
    confirmations,
    mailer,
    send,
    peopleOn,
    listTablesNaming,
    find,
    getFields,
    correct,
    corrected,
  };
}
