import { describe, expect, it } from "vitest";
import { dialects, testDatabase, type TestDatabase } from "../databases";
import { createPushNetwork, storeDevices } from "../factories/push-network";
import { startPushService } from "../fakes/push-service";
import { removeAfterTest } from "../fixture";
import { between, SEED, createRandom } from "../seeded-random";
import { logIn, startServer } from "../server-process";
import { checkIntegrity, countAuditEntries, getBroadcastLedger, listFaults, withDatabase } from "./ledger";
import { notifyAll, pageText } from "./operator";
import { until } from "./until";

const DEVICES = 5000;
const KILLS = 10;
const CONCURRENCY = 20;
/** Time from being ready to the first message. */
const RECOVERY_MS = 5000;

/**
 * Returns the response to a device by its number: each result of R10's table that a row can have, with fewer
 * refusals than open the circuit.
 */
function respond(path: string) {
  const number = Number(path.slice(1));
  if (number % 10 === 0) return { status: 410 };
  return { status: number % 50 === 7 ? 400 : 201 };
}
const GONE = DEVICES / 10;
const REFUSED = DEVICES / 50;

// R4
describe.each(dialects)("kill -9 while a broadcast is sent, on %s", (dialect) => {
  it(`skips no device, and its counts equal its rows (seed ${SEED})`, async () => {
    const random = createRandom(SEED);
    const database = removeAfterTest(await testDatabase(dialect));
    const service = removeAfterTest(await startPushService(respond));
    const network = removeAfterTest(createPushNetwork(service));
    const registration = { endpoint: service.endpoint, publicKey: network.publicKey };
    await withDatabase(database, (opened) => storeDevices(opened, DEVICES, registration));
    const settings = {
      ...database.environment,
      ...network.environment,
      PUSH_CONCURRENCY: String(CONCURRENCY),
    };
    const server = removeAfterTest(await startServer(settings));
    const cookie = await logIn(server);
    const id = await notifyAll(server, cookie, DEVICES);

    for (let kill = 1; kill <= KILLS; kill += 1) {
      const part = DEVICES / (KILLS + 1);
      const at = between(random, (kill - 1) * part + 50, kill * part);
      await until(`message ${at}`, () => service.received.length >= at, { withinMs: 120_000 });
      await server.kill();
      // Data in the dead process's sockets may still arrive; only a new connection comes from the new process.
      const connections = service.connections();
      await server.restart();
      const isResumed = () => service.connections() > connections;
      await until("the first message", isResumed, { withinMs: RECOVERY_MS });
      expect(await listRepeatedDevices(database, id)).toEqual([]);
    }
    const result = `Successfully sent to ${(DEVICES - GONE - REFUSED).toLocaleString("en")} devices (${GONE + REFUSED} failed)`;
    const page = `/admin/notifications/${id}`;
    const isOver = async () => (await pageText(server, cookie, page)).includes(result);
    await until("the end", isOver, { withinMs: 180_000, everyMs: 500 });

    const paths = service.received.map(({ path }) => path);
    expect(new Set(paths).size).toBe(DEVICES);
    expect(paths.length - DEVICES).toBeLessThanOrEqual(CONCURRENCY * KILLS);
    expect(await getBroadcastLedger(database, id)).toEqual({
      state: "finished",
      states: { accepted: DEVICES - GONE - REFUSED, failed: REFUSED, gone: GONE },
    });
    const devices = await withDatabase(database, ({ read }) =>
      read.selectFrom("devices").select("id").execute(),
    );
    expect(devices).toHaveLength(DEVICES - GONE);
    expect(await countAuditEntries(database, "confirm-broadcast")).toBe(1);
    expect(listFaults(server.output())).toEqual([]);
    expect(await server.stop()).toBe(0);
    expect(await checkIntegrity(database)).toBe("ok");
  });
});

function listRepeatedDevices(database: TestDatabase, id: string) {
  return withDatabase(database, ({ read }) =>
    read
      .selectFrom("pushes")
      .select("device_id")
      .where("broadcast_id", "=", id)
      .groupBy("device_id")
      .having(({ fn }) => fn.countAll(), ">", 1)
      .execute(),
  );
}
