import type { Compilable, CompiledQuery } from "kysely";
import type { Read } from "./database.server";

/**
 * Prepares a query that runs with every signup, page or batch of emails: Kysely otherwise builds and compiles it
 * each time, which takes several times as long as SQLite's own work.
 * @param build builds it from stand-ins for the parameters, once for each database; they have no values to look at.
 * @returns the function that runs it and resolves with its rows.
 */
export function prepareQuery<Parameters extends object, Row>(
  build: (db: Read, parameter: Parameters) => Compilable<Row>,
): (db: Read, parameters: Parameters) => Promise<Row[]> {
  // By adapter, of which each database has one, and its transactions the same.
  const compiledFor = new WeakMap<object, CompiledQuery<Row>>();
  return async (db, parameters) => {
    const { adapter } = db.getExecutor();
    let query = compiledFor.get(adapter);
    if (!query) {
      query = build(db, createStandIns()).compile();
      compiledFor.set(adapter, query);
    }
    const values = query.parameters.map((each) =>
      each instanceof StandIn ? parameters[each.name as keyof Parameters] : each,
    );
    const { rows } = await db.executeQuery<Row>({ ...query, parameters: values });
    return rows;
  };
}

/** Stands for a parameter while its query is built; Kysely takes it for a value. */
class StandIn {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  [Symbol.toPrimitive](): never {
    throw new Error(`The value of ${this.name} is not known while its query is built`);
  }
}

function createStandIns<Parameters extends object>(): Parameters {
  return new Proxy({} as Parameters, { get: (_, name) => new StandIn(String(name)) });
}
