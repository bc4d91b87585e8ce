import { testDatabase } from "../databases";
import { withDatabase } from "../faults/ledger";
import { startServer } from "../server-process";
import { stampOfAPerson } from "../server/visitors";
import { startHelper } from "./helper-process";
import type { generateLoad } from "./load";
import { compare } from "./rounds";
import type { Comparison } from "./rounds";

const CLIENTS = 32;
const ROUND_MS = 1500;
const ROUNDS = { warmUps: 2, rounds: 12 };

/**
 * Measures POST /early-access to 303, which is sent once the signup is on disk. The other side posts the same
 * form repeatedly: it is parsed, validated and answered alike, and its write finds the content known and
 * changes nothing.
 */
export async function compareSignups(): Promise<Comparison> {
  const database = await testDatabase("sqlite");
  const server = await startServer({ ...database.environment, TRUST_PROXY: "1" });
  const load = startHelper<typeof generateLoad>("./load.ts");
  const stamp = await stampOfAPerson(server);
  let stored = 1;
  const round = (number: string) => async () => {
    const form = `name=Visitor+${number}&email=visitor-${number}%40signup.test&company=Acme&role=developer&stamp=${stamp}&website=`;
    const measured = await load.call({
      port: server.port,
      clients: CLIENTS,
      ms: ROUND_MS,
      path: "/early-access",
      form,
      status: 303,
    });
    if (number === "#") stored += measured.done;
    return measured;
  };
  const compared = await compare(
    { name: "each stored", pid: server.pid, round: round("#") },
    { name: "the same one again, nothing stored", pid: server.pid, round: round("0") },
    ROUNDS,
  );
  await server.stop();
  const rows = await withDatabase(database, ({ read }) =>
    read
      .selectFrom("submissions")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow(),
  );
  if (rows.count !== stored)
    throw new Error(`${stored} signups were acknowledged and ${rows.count} are stored`);
  await Promise.all([server.remove(), load.stop()]);
  await database.remove();
  return {
    what: `Signups a second, acknowledged on disk: ${CLIENTS} keep-alive clients`,
    ...compared,
    aim: 0.7,
  };
}
