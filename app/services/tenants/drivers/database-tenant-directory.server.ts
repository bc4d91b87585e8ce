import type { Database } from "~/db/database.server";
import type { Tenant, TenantDirectory } from "../tenant-directory";

/** Lists companies from our database, filled by `npm run tenants -- import FILE.csv`. */
export class DatabaseTenantDirectory implements TenantDirectory {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  list(): Promise<Tenant[]> {
    return this.#database.read
      .selectFrom("tenants")
      .select(["id", "name", "domain"])
      .orderBy("name")
      .orderBy("id")
      .execute();
  }
}
