import { report } from "~/http/action-result.server";
import { paths } from "~/paths";
import type { createImports } from "~/services/imports/imports.server";

type Imports = Pick<ReturnType<typeof createImports>, "discard" | "find">;

/** Discards the file of an import. Pressed again because no answer came, the button says the same. */
export async function discardImport(imports: Imports, id: string): Promise<Response> {
  const { ok } = await imports.discard(id);
  if (ok || !(await imports.find(id))) return report("import-discarded", paths.peopleImports);
  return reportImportGone(imports, id);
}

/** Reports that nothing was changed, on the page that shows the import now. */
export async function reportImportGone(imports: Pick<Imports, "find">, id: string): Promise<Response> {
  const found = await imports.find(id);
  if (!found) return report("import-gone", paths.peopleImports);
  const page = found.state === "uploaded" ? paths.peopleImportColumns(id) : paths.peopleImport(id);
  return report("import-gone", page);
}
