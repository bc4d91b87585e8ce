import { rmSync } from "node:fs";
import { countRows } from "~/db/rows";
import { testDatabase } from "../databases";
import { withDatabase } from "../faults/ledger";
import { startServer, type ServerProcess } from "../server-process";
import { temporaryFolder } from "../temporary-folder";
import { BEHIND_A_PROXY, stampOfAPerson } from "../server/visitors";
import type { serveSignups } from "./bare-signups";
import { startHelper, type Helper } from "./helper-process";
import type { generateLoad } from "./load";
import { figure } from "./measurement";
import { profileInto, readShares } from "./profile-parts";
import type { Measurement } from "./results";
import { compare, measure, toSide } from "./rounds";

const CLIENTS = 32;
const ROUND_MS = 1500;
const ROUNDS = { warmUps: 2, rounds: 12 };
const STORED_MS = 1;
const REPEATED_MS = 0.7;

type Load = Helper<typeof generateLoad>;

/**
 * Measures POST /early-access to 303, which is sent once the signup is on disk: beside a bare server that stores the
 * same rows, and beside the same form posted repeatedly, which is parsed, validated and answered alike, and whose
 * write finds the content known and changes nothing.
 */
export async function compareSignups(): Promise<Measurement[]> {
  const database = await testDatabase("sqlite");
  await (await database.open()).close();
  const bareDatabase = await database.copy();
  const server = await startServer({ ...database.environment, ...BEHIND_A_PROXY });
  const bare = startHelper<typeof serveSignups>("./bare-signups.ts");
  const load = startHelper<typeof generateLoad>("./load.ts");
  const { port } = await bare.call(bareDatabase.environment.DATA_DIR);
  const signups = await prepareSignups(load, server);
  let stored = 1;
  const storeEach = async () => {
    const measured = await signups.store();
    stored += measured.done;
    return measured;
  };
  const what = `Signups a second, acknowledged on disk: ${CLIENTS} keep-alive clients`;
  const product = toSide("the product", server, storeEach);
  const bareSide = toSide("bare node:http and better-sqlite3, the same rows", bare, () =>
    signups.store(port),
  );
  const besideBare = await compare(what, product, bareSide, ROUNDS);
  const repeated = toSide("the same one again, nothing stored", server, signups.repeat);
  const besideRepeated = await compare(what, product, repeated, ROUNDS);
  await server.stop();
  const rows = await withDatabase(database, ({ read }) => countRows(read.selectFrom("submissions")));
  if (rows !== stored) throw new Error(`${stored} signups were acknowledged and ${rows} are stored`);
  const parts = [
    ...(await measureParts(load, "stored", ({ store }) => store())),
    ...(await measureParts(load, "not stored", ({ repeat }) => repeat())),
  ];
  await Promise.all([server.remove(), bare.stop(), load.stop()]);
  await Promise.all([database.remove(), bareDatabase.remove()]);
  return [
    besideBare,
    besideRepeated,
    figure("Processor time of a signup, stored", besideRepeated.product.cpuMs / 1000, "ms", STORED_MS),
    figure("Processor time of a signup, not stored", besideRepeated.other.cpuMs / 1000, "ms", REPEATED_MS),
    ...parts,
  ];
}

/** Prepares rounds of signups that are all different, and of one that was stored before. */
async function prepareSignups(load: Load, server: ServerProcess) {
  const stamp = await stampOfAPerson(server);
  const post = (number: string, port: number) => {
    const form = `name=Visitor+${number}&email=visitor-${number}%40signup.test&company=Acme&role=developer&stamp=${stamp}&website=`;
    return load.call({ port, clients: CLIENTS, ms: ROUND_MS, path: "/early-access", form, status: 303 });
  };
  return {
    store: (port = server.port) => post("#", port),
    repeat: () => post("0", server.port),
  };
}

/**
 * Measures what each part of the server takes of a signup's processor time: by its share of a profile of the main
 * thread, in which SQLite's share includes waiting for the disk.
 */
async function measureParts(
  load: Load,
  kind: string,
  round: (signups: Awaited<ReturnType<typeof prepareSignups>>) => ReturnType<Load["call"]>,
): Promise<Measurement[]> {
  const folder = temporaryFolder();
  const server = await startServer({ ...BEHIND_A_PROXY, ...profileInto(folder) });
  const signups = await prepareSignups(load, server);
  for (let warmUp = 0; warmUp < ROUNDS.warmUps; warmUp += 1) await round(signups);
  const from = monotonicMs();
  const { cpuMs } = await measure(toSide(kind, server, () => round(signups)));
  const to = monotonicMs();
  await server.remove();
  const shares = readShares(folder, { from, to });
  rmSync(folder, { recursive: true });
  return [...shares].map(([part, share]) =>
    figure(`A signup ${kind}, under a profiler: ${part}`, (share * cpuMs) / 1000, "ms"),
  );
}

const monotonicMs = () => Number(process.hrtime.bigint()) / 1e6;
