import { testDatabase } from "../databases";
import { createPushNetwork, storeDevices } from "../factories/push-network";
import { createSubscription, createVapidKeys } from "../factories/push";
import { withDatabase } from "../faults/ledger";
import { PUSH_NAME } from "../fakes/push-service";
import { formPost, logIn, startServer } from "../server-process";
import type { ServerProcess } from "../server-process";
import type { BarePushAnswer, BarePushQuestion } from "./bare-push";
import { figure } from "./figure";
import { startHelper } from "./helper-process";
import type { Measurement } from "./results";
import type { PushSinkAnswer, PushSinkQuestion } from "./push-sink";
import { residentMiB } from "./resident";
import { compare } from "./rounds";
import { benchSize } from "./sizes";

const DEVICES = benchSize("BENCH_DEVICES", 30_000);
const ROUNDS = { warmUps: 1, rounds: 2 };
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
  const sink = startHelper<PushSinkQuestion, PushSinkAnswer>("./push-sink.ts");
  const bare = startHelper<BarePushQuestion, BarePushAnswer>("./bare-push.ts");
  const { port, cert } = await sink.ask({ messages: 0 });
  const network = createPushNetwork({ port, cert });
  const endpoint = (path: string) => `https://${PUSH_NAME}:${port}/${path}`;
  const given = { endpoint, publicKey: network.publicKey };
  await withDatabase(database, (opened) => storeDevices(opened, DEVICES, given));
  const server = await startServer({
    ...database.environment,
    ...network.environment,
    PUSH_CONCURRENCY: String(CONNECTIONS),
    LOG_LEVEL: "warn",
  });
  const cookie = await logIn(server);
  const { keys } = JSON.parse(createSubscription().token) as Pick<BarePushQuestion, "keys">;
  const vapid = createVapidKeys();
  let arrived = 0;
  const rate = (began: number, ended: number) => ({
    done: DEVICES,
    perSecond: (1000 * DEVICES) / (ended - began),
  });
  const memory: number[] = [];
  const firsts: number[] = [];

  const compared = await compare(
    {
      name: "the product",
      pid: server.pid,
      round: async () => {
        const confirm = await askToSend(server, cookie, DEVICES);
        const began = Date.now();
        await confirm();
        const first = await sink.ask({ messages: arrived + 1 });
        firsts.push(first.at - began);
        arrived += DEVICES;
        const { at } = await sink.ask({ messages: arrived });
        memory.push(residentMiB(server.pid));
        return rate(began, at);
      },
    },
    {
      name: "web-push in a loop",
      pid: bare.pid,
      round: async () => {
        arrived += DEVICES;
        const text = JSON.stringify({ notification: MESSAGE, tag: "x".repeat(36) });
        const common = { port, cert, connections: CONNECTIONS, messages: DEVICES, keys, vapid, text };
        const { began } = await bare.ask(common);
        const { at } = await sink.ask({ messages: arrived });
        return rate(began, at);
      },
    },
    ROUNDS,
  );
  const grown = (memory.at(-1) ?? NaN) - (memory[ROUNDS.warmUps] ?? NaN);
  await server.remove();
  await Promise.all([sink.stop(), bare.stop()]);
  network.remove();
  await database.remove();
  return [
    {
      what: `Push messages a second: ${DEVICES} devices, ${CONNECTIONS} connections, click to last message`,
      ...compared,
      aim: 0.8,
    },
    figure("Click to the first push message, the slowest round", Math.max(...firsts), "ms", STARTS_WITHIN_MS),
    figure(`Memory from one broadcast to ${DEVICES} devices to the next`, grown, "MiB", FLAT_MIB),
  ];
}

/** Prepares the broadcast up to the last click. */
async function askToSend(server: ServerProcess, cookie: string, devices: number) {
  const headers = { Cookie: cookie };
  const html = await (await server.fetch("/admin/notifications", { headers })).text();
  const id = /name="id" value="([^"]+)"/.exec(html)?.[1] ?? "";
  const post = async (fields: Record<string, string>) => {
    const answer = await server.fetch("/admin/notifications", formPost({ id, ...fields }, headers));
    await answer.arrayBuffer();
    if (answer.status !== 303) throw new Error(`${fields.intent} answered ${answer.status}`);
  };
  await post({ intent: "send", audience: "all", tenant: "", link: "", ...MESSAGE });
  return () => post({ intent: "confirm", devices: String(devices) });
}
