import type { Read } from "~/db/database.server";
import { parseJson } from "~/lib/parse-json";
import type { PersonData } from "./person-data";
import type { CorrectedColumn } from "./corrected-columns";
import type { Undo } from "./correction-undo.server";

/** What operators corrected about a person: with the old values while it can be undone, then the old address alone. */
export const correctionsPersonData: PersonData = {
  name: "corrections",
  columns: { person_corrections: "rows" },

  async export(read, emailKey) {
    const person = read.selectFrom("people").select("id").where("email_key", "=", emailKey);
    const rows = await selectCorrections(read).where("person_id", "in", person).execute();
    return rows.map(toCorrection);
  },

  async erase(trx, emailKey) {
    const person = trx.selectFrom("people").select("id").where("email_key", "=", emailKey);
    await trx.deleteFrom("person_corrections").where("person_id", "in", person).execute();
  },
};

const selectCorrections = (read: Read) =>
  read.selectFrom("person_corrections").selectAll().orderBy("id", "desc");

type Row = Awaited<ReturnType<ReturnType<typeof selectCorrections>["execute"]>>[number];

/** Returns what a correction changed: each column with its old and its new value, none once it cannot be undone. */
function toCorrection({ undo, fields, merged_person, person_id: _, ...row }: Row) {
  const changes = undo === "" ? {} : (parseJson(undo) as Undo).changes;
  return {
    ...row,
    fields: fields.split(",") as CorrectedColumn[],
    changes,
    isMerge: merged_person !== null,
    isUndoable: undo !== "" && row.undone_at === null,
  };
}

/** Lists the newest corrections of a person. */
export async function listCorrections(read: Read, personId: string, limit: number) {
  const rows = await selectCorrections(read).where("person_id", "=", personId).limit(limit).execute();
  return rows.map(toCorrection);
}

/**
 * Lists the addresses that a person had before corrections, the latest first. One that is somebody's again is theirs.
 * @param limit left out: all.
 */
export function listFormerAddresses(read: Read, personId: string, limit?: number) {
  return read
    .selectFrom("person_corrections")
    .leftJoin("people", "people.email_key", "former_key")
    .select(({ fn }) => ["former_key as key", fn.max("former_email").as("address")])
    .where("person_id", "=", personId)
    .where("former_key", "!=", "")
    .where("undone_at", "is", null)
    .where("people.id", "is", null)
    .groupBy("former_key")
    .orderBy(({ fn }) => fn.max("person_corrections.id"), "desc")
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .execute();
}
