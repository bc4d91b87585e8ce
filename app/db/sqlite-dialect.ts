import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";
import type { Dialect, Driver, SelectModifierNode } from "kysely";

/** Returns Kysely's dialect for SQLite with a driver of our own, and the product's way of writing its SQL. */
export const createSqliteDialect = (createDriver: () => Driver): Dialect => ({
  createDriver,
  createQueryCompiler: () => new ProductQueryCompiler(),
  createAdapter: () => new TransactionalSqliteAdapter(),
  createIntrospector: (db) => new SqliteIntrospector(db),
});

class ProductQueryCompiler extends SqliteQueryCompiler {
  /** Omits row locks (`for update`): SQLite has none, and its writing transactions run one after the other. */
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier === "Distinct") super.visitSelectModifier(node);
  }

  /**
   * Hides parameters from SQLite's planner. It plans a statement again for each run when the value of a bare `?`
   * could matter, as in most joins, ranges and limits; that took two to four times as long as the query itself.
   * `likely()` costs nothing when it runs (https://sqlite.org/lang_corefunc.html#likely).
   */
  protected override getCurrentParameterPlaceholder(): string {
    return "likely(?)";
  }
}

/** Declares SQLite's schema changes transactional, which migrations rely on. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
