import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readContainerLimits } from "./cgroup-limits.server";

/** Folders as the kernel writes them (Linux 6.8, Docker 27 and a systemd service). */
describe("the limits of a control group", () => {
  let folder = "";
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "frontdesk-cgroup-"))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const write = (files: Record<string, string>) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    return readContainerLimits({ root: join(folder, "fs"), self: join(folder, "self") });
  };

  const STAT =
    "anon 104857600\nfile 83886080\nkernel 2097152\nactive_file 20971520\ninactive_file 52428800\n";
  const CPU_STAT = "usage_usec 81236412\nuser_usec 60112200\nsystem_usec 21124212\nnr_periods 41\n";
  const inContainer = {
    self: "0::/\n",
    "fs/memory.max": "268435456\n",
    "fs/memory.current": "190840832\n",
    "fs/memory.stat": STAT,
    "fs/cpu.max": "150000 100000\n",
    "fs/cpu.stat": CPU_STAT,
  };

  it("are a container's, and its inactive file pages do not count as used", async () => {
    expect(await write(inContainer)).toEqual({
      memory: { limit: 268_435_456, used: 190_840_832 - 52_428_800 },
      cpu: { cores: 1.5, usedMicroseconds: 81_236_412 },
    });
  });

  it("are the tightest of all parents, with the usage of that group", async () => {
    const limits = await write({
      self: "12:pids:/old\n0::/system.slice/frontdesk.service\n",
      "fs/system.slice/frontdesk.service/memory.max": "max\n",
      "fs/system.slice/frontdesk.service/cpu.max": "200000 100000\n",
      "fs/system.slice/frontdesk.service/cpu.stat": CPU_STAT,
      "fs/system.slice/memory.max": "536870912\n",
      "fs/system.slice/memory.current": "104857600\n",
      "fs/system.slice/memory.stat": "inactive_file 0\n",
      "fs/system.slice/cpu.max": "400000 100000\n",
      "fs/cpu.stat": "usage_usec 1\n",
    });
    expect(limits).toEqual({
      memory: { limit: 536_870_912, used: 104_857_600 },
      cpu: { cores: 2, usedMicroseconds: 81_236_412 },
    });
  });

  it.each([
    ["with the kernel's max", { ...inContainer, "fs/memory.max": "max\n", "fs/cpu.max": "max 100000\n" }],
    ["without cgroup v2", { self: "4:memory:/docker/1\n" }],
    ["on other systems", {}],
    ["with files that are cut short", { ...inContainer, "fs/memory.current": "", "fs/cpu.stat": "usage_" }],
    ["with a quota of nothing", { self: "0::/\n", "fs/cpu.max": "0 0\n" }],
  ])("are undefined %s", async (_, files) => {
    expect(await write(files as Record<string, string>)).toEqual({ memory: undefined, cpu: undefined });
  });
});
