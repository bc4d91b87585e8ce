import { existsSync, globSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { parseEnv } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { ensureInstalled } from "../scripts/prepare.mjs";
import { SERVER_COMMAND } from "../scripts/server-command.mjs";
import { environmentKeys, readEnvironment } from "~/env.server";
import { runNode } from "./run-node";
import { temporaryFolder } from "./temporary-folder";

const dockerfile = readFileSync("Dockerfile", "utf8");
/** The instructions of a stage. */
const getStage = (name: string) =>
  dockerfile.split(/^FROM \S+(?= )/m).find((stage) => stage.startsWith(` AS ${name}\n`)) ?? "";
const app = getStage("app");

/** Lists the files and folders that the image copies from the build. */
function copied(): string[] {
  const lines = app.match(/^COPY --from=build .+$/gm) ?? [];
  return lines.flatMap((line) => line.replaceAll("/app/", "").split(/\s+/).slice(2, -1));
}

/** Lists the project's files that Node loads from these entries. */
function loadedBy(entries: readonly string[]): Set<string> {
  const loaded = new Set<string>();
  const waiting = [...entries];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (loaded.has(file)) continue;
    loaded.add(file);
    const imports = readFileSync(file, "utf8").matchAll(
      /^(?:import|export)\s(?!type\b)[^;]*?from "([^"]+)"|^import "([^"]+)"|\bimport\("([^"]+)"\)/gm,
    );
    for (const [, from, bare, later] of imports) {
      const name = from ?? bare ?? later ?? "";
      if (name.startsWith("~/")) waiting.push(resolveFile(join("app", name.slice(2))));
      else if (name.startsWith(".")) waiting.push(resolveFile(join(dirname(file), name)));
    }
  }
  return loaded;
}

const resolveFile = (path: string): string =>
  [path, `${path}.ts`, `${path}.mjs`].find((file) => existsSync(file) && /\.\w+$/.test(file)) ?? path;

it("the image has every file that the guard and the commands load", () => {
  const places = copied();
  const commands =
    readFileSync("package.json", "utf8").match(/(?<=--env-file-if-exists=.env )scripts\/\w+\.ts/g) ?? [];
  expect(commands).toContain("scripts/backup.ts");
  const workers = globSync("server/workers/*.ts");
  expect(workers).not.toEqual([]);
  const loaded = loadedBy(["server/preload.mjs", ...workers, ...commands]);
  expect(loaded.size).toBeGreaterThan(readdirSync("server").length / 4);
  const missing = [...loaded].filter(
    (file) => !places.some((place) => file === place || file.startsWith(`${place}/`)),
  );
  expect(missing).toEqual([]);
});

it("the image's command is the one of npm start", () => {
  const command = /^CMD (.+)$/m.exec(app)?.[1] ?? "";
  expect(JSON.parse(command)).toEqual(["node", ...SERVER_COMMAND]);
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: { start: string } };
  expect(scripts.start).toContain(`node --env-file-if-exists=.env ${SERVER_COMMAND.join(" ")}`);
});

it("the image is the application's, with only readable files", () => {
  expect(dockerfile.trimEnd().split("\n").at(-1)).toBe("FROM app");
  expect(getStage("build").trimEnd()).toMatch(/&& chmod -R a\+rX \.$/);
  expect(app.match(/^(?:ADD|COPY) (?!--from=build ).*/gm)).toBeNull();
});

it("npm run works in the image: its packages count as installed", async () => {
  const image = temporaryFolder();
  onTestFinished(() => rmSync(image, { recursive: true }));
  for (const name of copied()) symlinkSync(resolve(name), join(image, name));
  const fail = () => Promise.reject(new Error("the packages would be installed again"));
  await ensureInstalled(image, fail);
  expect(readFileSync("scripts/slim-packages.mjs", "utf8")).toContain(
    'symlinkSync(process.execPath, "node_modules/.bin/node")',
  );
});

it(".env.example works in the image as it is: its DATA_DIR leads to /data", () => {
  const { DATA_DIR } = readEnvironment({
    NODE_ENV: "production",
    ...parseEnv(readFileSync(".env.example", "utf8")),
  });
  const [, folder = ""] = /^WORKDIR (.+)$/m.exec(app) ?? [];
  const [, targets = "", into = ""] = /\bln -s (.+) (\S+)$/m.exec(app) ?? [];
  const links = targets.split(" ").map((target) => [resolve(folder, into, basename(target)), target]);
  expect(Object.fromEntries(links)).toMatchObject({ [resolve(folder, DATA_DIR)]: "/data" });
});

// C34
it("without a volume the data is in the container, where check:deploy reports it", () => {
  expect(dockerfile).not.toMatch(/^VOLUME/m);
});

it.each(["", "4000"])("the health check asks the server's port: PORT=%s", async (PORT) => {
  const [command = "[]"] = /(?<=^HEALTHCHECK .*\\\n {2}CMD ).+/m.exec(app) ?? [];
  const code = (JSON.parse(command) as string[]).at(-1)!;
  const asked: string[] = [];
  const fetch = async (url: string) => ({ ok: asked.push(url) > 0 });
  const exit = await new Promise((ended) => {
    new Function("fetch", "process", code)(fetch, { env: { PORT }, exit: ended });
  });
  expect({ asked, exit }).toEqual({ asked: [`http://127.0.0.1:${PORT || 3000}/healthz`], exit: 0 });
});

it.each([
  ["empty", "", "", "3000 production"],
  ["given", "4000", "development", "4000 development"],
])("the server gets PORT and NODE_ENV when they are %s", async (_, PORT, NODE_ENV, expected) => {
  const print = "console.log(process.env.PORT, process.env.NODE_ENV); process.exit()";
  const { stdout } = await runNode(["--import=./server/preload.mjs", "-e", print], { PORT, NODE_ENV });
  expect(stdout.trim()).toBe(expected);
});

it("the image keeps each of Google's APIs that the product imports", () => {
  const script = readFileSync("scripts/slim-packages.mjs", "utf8");
  const kept = JSON.parse(/APIS = (\[.*\])/.exec(script)?.[1] ?? "[]") as string[];
  const imported = globSync("app/**/*.ts").flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/"googleapis\/build\/src\/apis\/(\w+)\//g)].map(
      ([, api]) => api ?? "",
    ),
  );
  expect([...new Set(imported)].sort()).toEqual(kept.toSorted());
});

const [common = "", services = ""] = readFileSync("compose.yaml", "utf8").split(/^services:$/m);
/** The services by their names. */
const serviceTexts = new Map(
  services
    .split(/^networks:$/m)[0]!
    .split(/^ {2}(?=[\w-]+:$)/m)
    .slice(1)
    .map((text) => [/^[\w-]+/.exec(text)?.[0] ?? "", text]),
);
/** Variables that compose.yaml sets for the product, as Compose fills them in from this environment. */
const listSet = (environment: Record<string, string>) =>
  Object.fromEntries(
    [...common.matchAll(/^ {4}([A-Z_]+): "?([^"\n]*)"?$/gm)].map(([, name = "", value = ""]) => [
      name,
      value.replace(
        /\$\{(\w+)(?::[?-]([^}]*))?\}/g,
        (_, key: string, fallback = "") => environment[key] || fallback,
      ),
    ]),
  );

// C33
it("compose.yaml sets known variables and pins its images", () => {
  const ours = Object.keys(listSet({}));
  expect(ours).toContain("DATABASE_URL");
  expect(ours.filter((name) => !(environmentKeys as readonly string[]).includes(name))).toEqual([]);
  // Required secrets are not set in the file.
  expect(common).not.toMatch(/(?:SECRET|PASSWORD): (?!\$\{)/);

  expect([...serviceTexts.keys()]).toEqual([
    "frontdesk-1",
    "frontdesk-2",
    "backup",
    "proxy",
    "postgres",
    "redis",
  ]);
  expect(common).toMatch(/x-hardened: &hardened\n(?:.*\n)*? {2}read_only: true\n/);
  for (const [name, service] of serviceTexts) {
    expect(service).toMatch(/<<: \*(?:hardened|frontdesk)\n/);
    const image = /image: (\S+)/.exec(service)?.[1];
    if (image !== undefined && name !== "backup") expect(image).toMatch(/^\w+:\d/);
  }
  const instances = [...serviceTexts.keys()].filter((name) => /^frontdesk-\d$/.test(name));
  const blocks = readFileSync("deploy/Caddyfile", "utf8").match(/(?<=reverse_proxy .*)frontdesk-.*(?= \{)/g);
  expect(blocks).toEqual(Array(2).fill(instances.map((name) => `${name}:3000`).join(" ")));
});

it("in compose.yaml .env counts, but moves no data and no port", () => {
  expect(common).toContain("\n  env_file: [{ path: .env, required: false }]\n");
  const foreign = {
    DATA_DIR: "./data",
    PORT: "4000",
    HOST: "127.0.0.1",
    DATABASE_URL: "postgres://elsewhere/x",
    ORIGIN: "http://localhost:3000",
    TRUST_PROXY: "0",
  };
  const file = {
    ...parseEnv(readFileSync(".env.example", "utf8")),
    ...foreign,
    POSTGRES_PASSWORD: "abc",
    DOMAIN: "launch.example.com",
    SESSION_SECRET: "s".repeat(32),
    FORM_SECRET: "f".repeat(32),
    SUPERADMIN_EMAIL: "ada@example.com",
    METRICS_TOKEN: "m".repeat(32),
    DOUBLE_OPT_IN: "on",
    REDIS_URL: "redis://elsewhere",
  };
  const environment = readEnvironment({ NODE_ENV: "production", ...file, ...listSet(file) });
  expect(environment.HOST).toBeUndefined();
  expect(environment).toMatchObject({
    DATA_DIR: "/data",
    PORT: 3000,
    DATABASE_URL: "postgres://frontdesk:abc@postgres/frontdesk",
    ORIGIN: "https://launch.example.com",
    TRUST_PROXY: 1,
    METRICS_TOKEN: "m".repeat(32),
    DOUBLE_OPT_IN: "on",
    REDIS_URL: "redis://elsewhere",
    SUPERADMIN_EMAIL: "ada@example.com",
  });
  expect(listSet({}).REDIS_URL).toBe("redis://redis");
});

// R30
it("the backup service has programs of the server's version", () => {
  const version = /^ARG POSTGRES=postgres:(\d+)-/m.exec(dockerfile)?.[1];
  expect(/image: postgres:(\d+)-/.exec(serviceTexts.get("postgres") ?? "")?.[1]).toBe(version);
  const [, command = "[]"] = /^CMD (.+)$/m.exec(getStage("backup")) ?? [];
  expect(JSON.parse(command)).toEqual(["node", "scripts/backup.ts", "/backups"]);
  expect(serviceTexts.get("backup")).toContain('volumes: ["frontdesk-1:/data", "backups:/backups"]');
});
