import type { PersonData } from "~/services/people/person-data";

/** The lines of files with the person's address, until they are swept. They stay without what they say, so that totals add up. */
export const importPersonData: PersonData = {
  name: "importedLines",
  columns: { import_lines: ["cells", "email_key"] },

  async export(read, emailKey) {
    const rows = await read
      .selectFrom("import_lines")
      .innerJoin("imports", "imports.id", "import_id")
      .select(["file_name", "line", "cells", "verdict", "reason", "imports.created_at"])
      .where("email_key", "=", emailKey)
      .orderBy("import_id", "desc")
      .orderBy("line")
      .execute();
    return rows.map(({ cells, ...line }) => ({ ...line, cells: JSON.parse(cells) as unknown }));
  },

  /** A piece of an import reads its lines, and later writes their addresses: it waits, or is waited for. */
  async lock(trx) {
    const open = trx.selectFrom("imports").select("id").where("settled_at", "is", null);
    await open.orderBy("id").forUpdate().execute();
  },

  async erase(trx, emailKey) {
    await trx
      .updateTable("import_lines")
      .set({ cells: "[]", email_key: "", reason: "erased" })
      .where("email_key", "=", emailKey)
      .execute();
  },
};
