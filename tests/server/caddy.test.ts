import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, it } from "vitest";
import { freePort } from "../../scripts/free-port.mjs";
import { testDatabase } from "../databases";
import { listen } from "../fakes/listen";
import { startSilencingProxyTo } from "../fakes/silencing-proxy";
import { removeAfterTest } from "../fixture";
import { startServer, type ServerProcess } from "../server-process";
import { temporaryFolder } from "../temporary-folder";
import { waitUntil } from "../wait-until";
import { BEHIND_A_PROXY, freshStamp, submit } from "./visitors";

const hasCaddy = spawnSync("caddy", ["version"]).status === 0;
if (!hasCaddy) process.stdout.write("Without Caddy deploy/Caddyfile is not tested.\n");

// R21
it.skipIf(!hasCaddy)("without its database the site still serves through the proxy", async () => {
  const database = removeAfterTest(await testDatabase("postgres"));
  const connection = await startSilencingProxyTo(database.environment.DATABASE_URL ?? "");
  const settings = { ...BEHIND_A_PROXY, DATABASE_URL: connection.url };
  const instances = await Promise.all([startServer(settings), startServer(settings)]);
  instances.forEach(removeAfterTest);
  const caddy = removeAfterTest(await startCaddy(instances.map(({ port }) => port)));
  const getStatuses = () =>
    Promise.all(["/", "/early-access", "/login"].map(async (path) => (await caddy.fetch(path)).status));
  expect(await getStatuses()).toEqual([200, 200, 200]);
  const site = { ...instances[0], fetch: caddy.fetch } as ServerProcess;
  const stamp = await freshStamp(site);

  await connection.close();
  await waitUntil(() => instances.every(({ port }) => caddy.isNotReady(port)));
  expect(await getStatuses()).toEqual([200, 200, 200]);
  const answer = await submit(site, "/updates", { stamp, email: "ada@example.com" });
  expect(answer.status).toBe(503);
  expect(await answer.text()).toContain('value="ada@example.com"');
});

// R21
it.skipIf(!hasCaddy)("during an update a visitor gets pages and files of one build", async () => {
  const builds = [await startBuild("old"), await startBuild("new")];
  builds.forEach(removeAfterTest);
  const caddy = removeAfterTest(await startCaddy(builds.map(({ port }) => port)));
  const getBuilds = async () => {
    const names = Array.from({ length: 20 }, async (_, n) => (await caddy.fetch(`/file-${n}`)).text());
    return [...new Set(await Promise.all(names))];
  };
  const [mine, ...others] = await getBuilds();
  expect(others).toEqual([]);

  const [stopped] = builds.filter(({ name }) => name === mine);
  stopped!.isReady = false;
  await waitUntil(async () => (await getBuilds()).join() !== mine);
  expect(await getBuilds()).toEqual([mine === "old" ? "new" : "old"]);
});

/** A server that answers everything with its name. */
async function startBuild(name: string) {
  const build = { name, isReady: true, port: 0, close: () => void server.close() };
  const server = createServer((request, response) => {
    const isHealthy = request.url !== "/readyz" || build.isReady;
    response.writeHead(isHealthy ? 200 : 503, { Connection: "close" }).end(name);
  });
  build.port = await listen(server);
  return build;
}

/** Starts Caddy with deploy/Caddyfile in front of these two ports, over plain http. */
async function startCaddy(ports: readonly number[]) {
  const folder = temporaryFolder();
  const origin = `http://127.0.0.1:${await freePort()}`;
  const config = readFileSync("deploy/Caddyfile", "utf8").replaceAll(
    /frontdesk-(\d):3000/g,
    (_, number: string) => `127.0.0.1:${ports[Number(number) - 1]}`,
  );
  const file = join(folder, "Caddyfile");
  writeFileSync(file, `{\n\tadmin off\n}\n${config}`);
  const env = { PATH: process.env.PATH, NODE_ENV: "test" as const, HOME: folder, DOMAIN: origin };
  const args = ["run", "--adapter", "caddyfile", "--config", file];
  const caddy = spawn("caddy", args, { env, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  caddy.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const isUp = () =>
    fetch(origin).then(
      () => true,
      () => false,
    );
  await waitUntil(isUp).catch(() => {
    throw new Error(`Caddy did not start:\n${said}`);
  });
  return {
    fetch: (path: string, init?: RequestInit) => fetch(origin + path, { redirect: "manual", ...init }),
    /** Whether its log says that the instance on this port answered its check with 503. */
    isNotReady: (port: number) => new RegExp(`"status_code":503,"host":"127.0.0.1:${port}"`).test(said),
    close: async () => {
      const ended = once(caddy, "exit");
      caddy.kill();
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}
