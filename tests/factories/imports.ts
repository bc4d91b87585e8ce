import type { Database } from "~/db/database.server";
import { guessMapping } from "~/lib/import-columns";
import { createImports, type Imports, type ImportSettings } from "~/services/imports/imports.server";
import { workOnLines, workOnImports, type ImportWorkDeps } from "~/services/imports/import-work.server";
import { newId } from "~/services/service-deps";
import { operator } from "./outreach";
import { createTestClock } from "./time";

/** Starts an import with what its dry run was made with. */
export const startImport = async (imports: Imports, id: string) =>
  imports.start(id, operator, (await imports.find(id))!.settingsHash);

export const CONSENT = "Signed up at our stand in Linz.";

/** Creates imports on a database, with a clock the test moves. */
export function createTestImports(database: Database) {
  const clock = createTestClock();
  const depsOn = (on: Database) => ({ database: on, clock, newId });
  const imports = createImports({ ...depsOn(database), wake: () => undefined });

  /** Stores a file, and says what its columns are. */
  async function map(
    file: string | Uint8Array<ArrayBuffer>,
    settings: Partial<ImportSettings> = {},
  ): Promise<string> {
    const upload = await imports.upload(new File([file], "people.csv"), { by: operator.by });
    if (!upload.ok) throw new Error(`${upload.problem} ${upload.line}`);
    const { id } = upload;
    const { columns } = (await imports.find(id))!;
    const mapping = guessMapping(columns.map(({ name }) => name));
    await imports.check(id, {
      kind: "early-access",
      mapping,
      consent: CONSENT,
      dateOrder: "",
      isMirrored: false,
      ...settings,
    });
    return id;
  }

  /** Does all the work there is now. @param limit lines of a piece. */
  async function work(id: string, { limit = 3, on = database }: { limit?: number; on?: Database } = {}) {
    while (await workOnLines(depsOn(on), id, limit));
  }

  async function check(...[file, settings]: Parameters<typeof map>): Promise<string> {
    const id = await map(file, settings);
    await work(id);
    return id;
  }

  return {
    clock,
    imports,
    map,
    work,
    check,
    /** Imports a whole file. */
    async run(...[file, settings]: Parameters<typeof map>): Promise<string> {
      const id = await check(file, settings);
      await startImport(imports, id);
      await work(id);
      return id;
    },
    workOnce: (id: string, limit: number, on = database) => workOnLines(depsOn(on), id, limit),
    /** Does all the work there is now, as a server does. */
    workOnAll: (error: ImportWorkDeps["log"]["error"] = () => undefined, on = database) =>
      workOnImports({ ...depsOn(on), log: { error } }),
    listLines: async (id: string) => (await imports.listLines(id, { limit: 1000 })).lines,
    submissions: () =>
      database.read
        .selectFrom("submissions")
        .leftJoin("consents", "consents.submission_id", "submissions.id")
        .select([
          "submissions.id",
          "email",
          "name",
          "company",
          "role",
          "kind",
          "state",
          "source",
          "created_at",
        ])
        .select(["notify", "import_id", "is_mirrored", "wording", "given_at"])
        .orderBy("submissions.email_key")
        .execute(),
    suppressions: () =>
      database.read
        .selectFrom("suppressions")
        .select(["email_key", "reason", "detail"])
        .orderBy("email_key")
        .execute(),
  };
}

/** Makes a file of so many people, whose address begins with "person". */
export const makeFile = (count: number) =>
  [
    "Email,Name",
    ...Array.from({ length: count }, (_, at) => `person${at + 1}@example.com,Person ${at + 1}`),
  ].join("\n");
