import type { CompiledQuery, PluginTransformQueryArgs } from "kysely";
import type { Database } from "~/db/database.server";

/** Returns the lines of the plans of the queries that a piece of work makes. */
export async function getPlans(
  database: Database,
  work: (watched: Database) => Promise<unknown>,
): Promise<string[]> {
  const queries: CompiledQuery[] = [];
  const executor = database.read.getExecutor();
  // Subqueries are transformed too, but have no result of their own.
  const nodes = new WeakMap<object, PluginTransformQueryArgs["node"]>();
  const read = database.read.withPlugin({
    transformQuery({ node, queryId }) {
      nodes.set(queryId, node);
      return node;
    },
    async transformResult({ result, queryId }) {
      const node = nodes.get(queryId);
      if (node) queries.push(executor.compileQuery(node, queryId));
      return result;
    },
  });
  await work({ ...database, read, longRead: read });
  const explain = database.dialect === "postgres" ? "explain " : "explain query plan ";
  const plans = await Promise.all(
    queries.map((query) =>
      database.read.executeQuery({
        ...query,
        sql: explain + query.sql,
        parameters: query.parameters.map(toValue),
      }),
    ),
  );
  return plans.flatMap(({ rows }) => rows.map((row) => Object.values(row as object).join(" ")));
}

/** A prepared query has stand-ins for its parameters; any value does for a plan. */
const toValue = (parameter: unknown) => (typeof parameter === "object" && parameter !== null ? 1 : parameter);
