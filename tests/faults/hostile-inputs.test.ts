import { describe, expect, it } from "vitest";
import { minutes } from "~/lib/durations";
import { SCOPES } from "~/services/api-tokens/token";
import { ask } from "../../server/fixtures/raw-http";
import { dialects, testDatabase } from "../databases";
import { createPushNetwork, registerDevice } from "../factories/push-network";
import { createSubscription } from "../factories/push";
import { startPushService } from "../fakes/push-service";
import { removeAfterTest } from "../fixture";
import { formPost, logIn, startServer, type ServerProcess } from "../server-process";
import { createRandom } from "../seeded-random";
import { chooseSize } from "../sizes";
import { makeToken } from "../server/made-tokens";
import { oddRequest, type Inside, type Operation, type Visitor } from "./odd-inputs";
import { PANEL_FIELDS } from "../server/outreach-screens";
import { builtRoutes, readApiDocument } from "../server/route-manifest";
import { BEHIND_A_PROXY, signUp, someone, stampOfAPerson, submit } from "../server/visitors";

const SEED = 20_261_123;
const REQUESTS = chooseSize({ daily: 300, full: 8000 });
const AT_ONCE = 12;
/** A token may make 600 calls a minute, a visitor register 20 devices an hour. */
const CALLS_A_TOKEN = 400;
const REQUESTS_A_VISITOR = 60;
const BOUNCE_SECRET = "of-the-mail-provider-0123456789abcdef";
const PATIENCE_MS = minutes(10);

// R37
describe.each(dialects)("texts that nobody types, on %s", (dialect) => {
  it(
    `${REQUESTS} of them are refused or harmless, never 5xx`,
    async () => {
      const { server, pushService } = await startProduct(dialect);
      const { pid } = server;
      const inside = await listTargets(server, pushService);
      const random = createRandom(SEED);
      const requests = Array.from({ length: REQUESTS }, () => oddRequest(random, inside));
      const failed: string[] = [];
      const answered = new Map<number, number>();

      const worker = async () => {
        for (let request = requests.pop(); request; request = requests.pop()) {
          const { line, headers, body } = request;
          const { status } = await ask(server.port, line, headers, body);
          answered.set(status, (answered.get(status) ?? 0) + 1);
          if (status >= 500)
            failed.push(`${status} ${line} ${JSON.stringify(headers)} ${body}`.slice(0, 1000));
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));

      expect(failed).toEqual([]);
      // Else the generator would prove nothing.
      for (const status of [200, 303, 400, 401, 403, 404, 422])
        expect([status, answered.get(status) ?? 0]).not.toEqual([status, 0]);
      expect(answered.get(429) ?? 0).toBeLessThan(REQUESTS / 20);
      expect(server.pid).toBe(pid);
      expect((await server.fetch("/readyz")).status).toBe(200);
      expect(server.output()).not.toMatch(
        /unhandled rejection|uncaught exception|"level":(?:50|60),(?!.*a test error)/,
      );
    },
    PATIENCE_MS,
  );
});

/** Starts the product with some rows of each kind, in a network that has our push service alone. */
async function startProduct(
  dialect: "sqlite" | "postgres",
): Promise<{ server: ServerProcess; pushService: string }> {
  const place = removeAfterTest(await testDatabase(dialect));
  const service = removeAfterTest(await startPushService());
  const network = removeAfterTest(createPushNetwork(service));
  const server = removeAfterTest(
    await startServer({
      ...BEHIND_A_PROXY,
      ...place.environment,
      ...network.environment,
      BOUNCE_WEBHOOK_SECRET: BOUNCE_SECRET,
    }),
  );
  const stamp = await stampOfAPerson(server);
  await signUp(server, { stamp }, someone());
  await submit(server, "/contact", { stamp, email: "bo@example.com" }, someone());
  await registerDevice(server, createSubscription(service.endpoint("1")).token);
  return { server, pushService: service.endpoint("") };
}

async function listTargets(server: ServerProcess, pushService: string): Promise<Inside> {
  const cookie = await logIn(server, undefined, someone());
  const pages = builtRoutes()
    .filter(({ path, hasLoader }) => hasLoader && !path.startsWith("/api/"))
    .map(({ path }) => path);
  const draft = { ...PANEL_FIELDS, intent: "preview" };
  await server.fetch("/admin/dashboard", formPost(draft, { Cookie: cookie }));
  const tokens = [];
  for (let made = 0; made < REQUESTS; made += CALLS_A_TOKEN)
    tokens.push(await makeToken(server, cookie, { scopes: SCOPES }));
  const visitors = await Promise.all(
    Array.from({ length: Math.ceil(REQUESTS / REQUESTS_A_VISITOR) }, () => newVisitor(server)),
  );
  const html = await Promise.all(
    pages.map(async (path) => (await server.fetch(path, { headers: { Cookie: cookie } })).text()),
  );
  const all = html.join("\n");
  const ids = [...new Set(all.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g))];
  expect(ids.length).toBeGreaterThan(5);
  // Of filters, choices and buttons.
  const values = [...new Set(Array.from(all.matchAll(/ value="([\w-]{1,30})"/g), ([, value = ""]) => value))];
  expect(values.length).toBeGreaterThan(20);
  return {
    operations: await readOperations(server),
    pages,
    known: ["2026-11-01", "1", "ada", "early-access", "newest", ...values, ...ids.slice(0, 40)],
    cookie,
    tokens,
    visitors,
    bounceSecret: BOUNCE_SECRET,
    pushService,
  };
}

async function newVisitor(server: ServerProcess): Promise<Visitor> {
  const init = { method: "POST", headers: { "Sec-Fetch-Site": "same-origin" } };
  return (await (await server.fetch("/api/visitor", init)).json()) as Visitor;
}

async function readOperations(server: ServerProcess): Promise<Operation[]> {
  const { operations } = await readApiDocument(server);
  return operations.map(({ operationId: name, method, documented: path, parameters, requestBody }) => ({
    name,
    method,
    path,
    query: parameters.filter((one) => one.in === "query").map((one) => one.name),
    body: requestBody?.content["application/json"].schema,
  }));
}
