import { testDatabase } from "../databases";
import { createPushNetwork, storeDevices } from "../factories/push-network";
import { createSubscription, createVapidKeys } from "../factories/push";
import { withDatabase } from "../faults/ledger";
import { prepareBroadcast } from "../faults/operator";
import { PUSH_NAME } from "../fakes/push-service";
import { logIn, startServer } from "../server-process";
import type { sendInLoop } from "./bare-push";
import { figure, getBenchSize, getResidentMiB } from "./measurement";
import { startHelper } from "./helper-process";
import type { Measurement } from "./results";
import type { awaitMessages } from "./push-sink";
import { compare, toMeasured, toSide } from "./rounds";

const DEVICES = getBenchSize("BENCH_DEVICES", 30_000);
const ROUNDS = { warmUps: 1, rounds: 2, aim: 1 };
const CONNECTIONS = 50;
const STARTS_WITHIN_MS = 2000;
/** Limit of memory growth during the sending, after the warm-up. */
const FLAT_MIB = 64;
const MESSAGE = { title: "We open on Monday", body: "The beta opens on Monday. Come in and look around." };

/**
 * Measures from the click on "Send Notification" to the last message at the push service, and other requests
 * meanwhile (R4).
 */
export async function comparePushes(): Promise<Measurement[]> {
  const database = await testDatabase("sqlite");
  const sink = startHelper<typeof awaitMessages>("./push-sink.ts");
  const bare = startHelper<typeof sendInLoop>("./bare-push.ts");
  const { port, cert } = await sink.call(0);
  const network = createPushNetwork({ port, cert });
  const endpoint = (path: string) => `https://${PUSH_NAME}:${port}/${path}`;
  const registration = { endpoint, publicKey: network.publicKey };
  await withDatabase(database, (opened) => storeDevices(opened, DEVICES, registration));
  const server = await startServer({
    ...database.environment,
    ...network.environment,
    PUSH_CONCURRENCY: String(CONNECTIONS),
    LOG_LEVEL: "warn",
  });
  const cookie = await logIn(server);
  const { keys } = JSON.parse(createSubscription().token) as Pick<Parameters<typeof sendInLoop>[0], "keys">;
  const vapid = createVapidKeys();
  let arrived = 0;
  const memory: number[] = [];
  const firsts: number[] = [];

  const compared = await compare(
    `Push messages a second: ${DEVICES} devices, ${CONNECTIONS} connections, click to last message`,
    toSide("the product", server, async () => {
      const confirm = await prepareBroadcast(server, cookie, DEVICES, MESSAGE);
      const began = Date.now();
      await confirm();
      const first = await sink.call(arrived + 1);
      firsts.push(first.at - began);
      arrived += DEVICES;
      const { at } = await sink.call(arrived);
      memory.push(getResidentMiB(server.pid));
      return toMeasured(DEVICES, at - began);
    }),
    toSide("web-push in a loop", bare, async () => {
      arrived += DEVICES;
      const text = JSON.stringify({ notification: MESSAGE, tag: "x".repeat(36) });
      const input = { port, cert, connections: CONNECTIONS, messages: DEVICES, keys, vapid, text };
      const { began } = await bare.call(input);
      const { at } = await sink.call(arrived);
      return toMeasured(DEVICES, at - began);
    }),
    ROUNDS,
  );
  const grown = (memory.at(-1) ?? NaN) - (memory[ROUNDS.warmUps] ?? NaN);
  await server.remove();
  await Promise.all([sink.stop(), bare.stop()]);
  network.remove();
  await database.remove();
  return [
    compared,
    figure("Click to the first push message, the slowest round", Math.max(...firsts), "ms", STARTS_WITHIN_MS),
    figure(`Memory from one broadcast to ${DEVICES} devices to the next`, grown, "MiB", FLAT_MIB),
  ];
}
