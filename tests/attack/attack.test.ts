import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startHelper } from "../bench/helper-process";
import { listFaults } from "../faults/ledger";
import { formPost, logIn, startServer, type ServerProcess } from "../server-process";
import { startSmtpServer } from "../fakes/smtp-server";
import { useFixture } from "../fixture";
import { makeToken } from "../server/made-tokens";
import { BEHIND_A_PROXY, quantile, stampOfAPerson } from "../server/visitors";
import { waitUntil } from "../wait-until";
import type { runAttack } from "./attacker";
import { type Attack, ATTACKS } from "./attacks";
import type { TimedResponse, visitAsBystanders } from "./bystanders";

type Bystanders = Awaited<ReturnType<typeof visitAsBystanders>>;

/** Limits that other clients' requests must keep during an attack (docs/hardening.md, C37 to C51, R37). */
const PROBE_P99_MS = 100;
const PERSON_P99_MS = 500;
const HEAP_MIB = 16;
const ATTACK_MS = 10_000;
/** Time in which the same requests are measured without an attack: the control. */
const CONTROL_MS = 2000;
/** Start of an attack, during which connections are opened. */
const WARM_UP_MS = 1000;

/** Lists local addresses of different networks, all of this machine. */
const listAddresses = (count: number) => Array.from({ length: count }, (_, index) => `127.0.${index + 1}.1`);

/** Takes longer for an email than a test's attack lasts. */
const smtp = useFixture(() => startSmtpServer({ answer: () => ({ slow: 2 * ATTACK_MS }) }));
let server: ServerProcess;
let stamp: string;
let session: string;
let token: string;
let endedSession: string;
const attacker = startHelper<typeof runAttack>("../attack/attacker.ts");
const bystanders = startHelper<typeof visitAsBystanders>("../attack/bystanders.ts");

beforeAll(async () => {
  server = await startServer({
    ...BEHIND_A_PROXY,
    ...smtp.environment,
    NODE_OPTIONS: "--import ./tests/attack/heap-probe.mjs",
  });
  stamp = await stampOfAPerson(server);
  session = await logIn(server);
  token = await makeToken(server, session, { scopes: ["email:send"] });
  endedSession = await logIn(server);
  await server.fetch("/logout", formPost({}, { Cookie: endedSession }));
  // Code that loads and compiles at its first use does not count as growth.
  const { port } = server;
  await bystanders.call({ port, stamp, session, ms: 3000 });
  for (const attack of Object.values(ATTACKS).flat())
    await attacker.call({ attack, port, addresses: ["127.0.0.1"], ms: 500, token, session, endedSession });
});
afterAll(() => Promise.all([server?.remove(), attacker.stop(), bystanders.stop()]));

/** Returns the server's heap after a collection with no requests in flight, in MiB. */
async function measureHeap(): Promise<number> {
  const readings = () =>
    [...server.output().matchAll(/^heap in use: (\d+)$/gm)].map(([, bytes]) => Number(bytes));
  const before = readings().length;
  process.kill(server.pid, "SIGUSR2");
  await waitUntil(() => readings().length > before);
  return (readings().at(-1) ?? NaN) / 1024 / 1024;
}

const getP99 = (responses: readonly TimedResponse[]) =>
  quantile(
    responses.map(({ ms }) => ms),
    0.99,
  );
const format = (responses: readonly TimedResponse[]) =>
  `${responses.length} in p99 ${getP99(responses).toFixed(0)} ms`;

const getStatuses = (bystanders: Bystanders) =>
  Object.fromEntries(
    Object.entries(bystanders).map(([name, responses]) => [
      name,
      [...new Set(responses.map(({ status }) => status))],
    ]),
  );
const describeAll = ({ probes, visits, signups, pages }: Bystanders) =>
  `probes ${format(probes)}, visitors' pages ${format(visits)}, signups ${format(signups)}, operator's pages ${format(pages)}`;

describe.each([1, 50])("while somebody attacks from %i addresses", (count) => {
  const withstand = (attack: Attack) => expectNobodyElseToNotice(attack, count);
  // C37
  it.each(ATTACKS.C37)("with %s, nobody else notices", withstand);
  // C38
  it.each(ATTACKS.C38)("with %s, nobody else notices", withstand);
  // C40
  it.each(ATTACKS.C40)("with %s, nobody else notices", withstand);
  // C46
  it.each(ATTACKS.C46)("with %s, nobody else notices", withstand);
  // The promise is about the operators of one network.
  const ofOperators = ATTACKS.C47.filter((attack) => count === 1 || attack !== "an operator's pages");
  // C47
  it.each(ofOperators)("with %s, nobody else notices", withstand);
  // C48
  it.each(ATTACKS.C48)("with %s, nobody else notices", withstand);
  // C49
  it.each(ATTACKS.C49)("with %s, nobody else notices", withstand);
  // C51
  it.each(ATTACKS.C51)("with %s, nobody else notices", withstand);
  // R37
  it.each(ATTACKS.R37)("with %s, nobody else notices", withstand);
});

async function expectNobodyElseToNotice(attack: Attack, count: number): Promise<void> {
  const { port } = server;
  const control = await bystanders.call({ port, stamp, session, ms: CONTROL_MS });
  const heapBefore = await measureHeap();
  const attacking = attacker.call({
    attack,
    port,
    addresses: listAddresses(count),
    ms: ATTACK_MS + WARM_UP_MS,
    token,
    session,
    endedSession,
  });
  await new Promise((resolve) => setTimeout(resolve, WARM_UP_MS));
  const during = await bystanders.call({ port, stamp, session, ms: ATTACK_MS - WARM_UP_MS });
  const responses = await attacking;

  let heapGrowth = Infinity;
  const hasShrunk = async () => {
    heapGrowth = (await measureHeap()) - heapBefore;
    return heapGrowth <= HEAP_MIB;
  };
  await vi.waitUntil(hasShrunk, { timeout: 40_000, interval: 1000 }).catch(() => undefined);
  console.info(
    `${attack}, ${count} addresses: ${describeAll(during)}; without: ${describeAll(control)}; ` +
      `heap ${heapGrowth < 0 ? "" : "+"}${heapGrowth.toFixed(1)} MiB; the attacker got ${JSON.stringify(responses)}`,
  );
  const statuses = { probes: [200], visits: [200], signups: [303], pages: [200] };
  expect([getStatuses(control), getStatuses(during)]).toEqual([statuses, statuses]);
  expect(getP99(during.probes)).toBeLessThan(PROBE_P99_MS);
  for (const clients of [during.visits, during.signups, during.pages]) {
    expect(getP99(clients)).toBeLessThan(PERSON_P99_MS);
  }
  expect(heapGrowth).toBeLessThanOrEqual(HEAP_MIB);
  // 502 says that the mail server did not answer in time, so that the email's result is unknown.
  const honest = attack.startsWith("emails of one token") ? ["502", "503"] : ["503"];
  const failures = Object.keys(responses).filter((status) => status.startsWith("5"));
  expect(failures.filter((status) => !honest.includes(status))).toEqual([]);
  expect(listFaults(server.output())).toEqual([]);
}
