import SqliteFile from "better-sqlite3";
import pg from "pg";
import { importAsViteDoes } from "../../scripts/vite-imports.ts";

/**
 * Process that opens the database and is killed at the given statement, before it is sent or after. When it
 * survives it writes the number of statements.
 */
importAsViteDoes();
const { openDatabase } = await import("../../app/db/open-database.server.ts");

const [at = "", moment] = process.argv.slice(2);
const { DATA_DIR: dataDir = "", DATABASE_URL: url } = process.env;
let statements = 0;

function dieAt(now: "before" | "after"): void {
  if (now === (moment ?? "before") && statements === Number(at)) process.kill(process.pid, "SIGKILL");
}

/** Wraps a method so that it counts its calls and dies at the given one. */
function countCalls<Args extends unknown[], Result>(original: (this: never, ...args: Args) => Result) {
  return function (this: never, ...args: Args): Result {
    statements += 1;
    dieAt("before");
    const result = original.apply(this, args);
    dieAt("after");
    return result;
  };
}
SqliteFile.prototype.prepare = countCalls(SqliteFile.prototype.prepare) as never;
pg.Client.prototype.query = countCalls(pg.Client.prototype.query) as never;

const database = await openDatabase({
  dataDir,
  url,
  onError: (error) => {
    throw error;
  },
});
await database.close();
process.stdout.write(String(statements));
