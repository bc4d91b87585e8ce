import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { SERVER_COMMAND } from "../scripts/server-command.mjs";
import { environmentKeys } from "~/env.server";

/** Lists the files that the last stage copies from this folder, besides the build's output. */
function copied(): string[] {
  const stages = readFileSync("Dockerfile", "utf8").split(/^FROM /m);
  const lines = (stages.at(-1) ?? "").match(/^COPY (?!--from).+$/gm) ?? [];
  return lines.flatMap((line) => line.split(/\s+/).slice(1, -1));
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
  const command = /^CMD (.+)$/m.exec(readFileSync("Dockerfile", "utf8"))?.[1] ?? "";
  expect(JSON.parse(command)).toEqual(["node", ...SERVER_COMMAND]);
});

it("the image has every patched file of its packages", () => {
  const patches = globSync("patches/*.patch").map((file) => readFileSync(file, "utf8"));
  const patched = patches.flatMap((text) => text.match(/(?<=^\+\+\+ b\/).+$/gm) ?? []);
  expect(patched).not.toEqual([]);
  const dockerfile = readFileSync("Dockerfile", "utf8");
  for (const file of patched)
    expect(dockerfile).toContain(`\nCOPY --from=build /app/${file} ./${dirname(file)}/\n`);
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

it("compose.yaml sets variables the product reads, by pinned images that write to their volumes only (C33)", () => {
  const [common = "", services = ""] = readFileSync("compose.yaml", "utf8").split(/^services:$/m);
  const ours = [...common.matchAll(/^ {4}([A-Z_]+): /gm)].map(([, name]) => name ?? "");
  expect(ours).toContain("DATABASE_URL");
  expect(ours.filter((name) => !(environmentKeys as readonly string[]).includes(name))).toEqual([]);
  // Required secrets are not set in the file.
  expect(common).not.toMatch(/(?:SECRET|PASSWORD): (?!\$\{)/);

  const each = services
    .split(/^volumes:$/m)[0]!
    .split(/^ {2}(?=[\w-]+:$)/m)
    .slice(1);
  expect(each).toHaveLength(5);
  expect(common).toMatch(/x-hardened: &hardened\n(?:.*\n)*? {2}read_only: true\n/);
  for (const service of each) {
    expect(service).toMatch(/<<: \*(?:hardened|frontdesk)\n/);
    const image = /image: (\S+)/.exec(service)?.[1];
    if (image !== undefined) expect(image).toMatch(/^\w+:\d/);
  }
  const proxied = readFileSync("deploy/Caddyfile", "utf8").match(/frontdesk-\d(?=:3000)/g) ?? [];
  expect(proxied).toEqual(each.flatMap((service) => /^frontdesk-\d/.exec(service)?.[0] ?? []));
});
