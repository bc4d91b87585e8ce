import { sql } from "kysely";
import { importAsViteDoes } from "../../scripts/vite-imports.ts";

/** A process that reads as many rows, a hundred at a time, as an export of 250,000 does. It writes by how many MiB it grew. */
importAsViteDoes();
const { openDatabase } = await import("../../app/db/open-database.server.ts");
const { DATA_DIR: dataDir = "", DATABASE_URL: url } = process.env;
const database = await openDatabase({
  dataDir,
  url,
  onError: (error) => {
    throw error;
  },
});

async function read(times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    await sql`select n, 'Ada Number' || n as name, 'subscriber' || n || '@example.com' as email, 'Company ' || n as company
      from generate_series(1, 100) n`.execute(database.read);
  }
}

const mostMiB = () => process.resourceUsage().maxRSS / 1024;
await read(50);
const before = mostMiB();
await read(2500);
await database.close();
process.stdout.write(String(mostMiB() - before));
