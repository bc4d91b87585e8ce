import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MachineProbe } from "~/services/resources/drivers/machine-probe.server";
import { readNetworkCounters } from "~/services/resources/drivers/network-counters.server";
import type { ResourceProbe } from "~/services/resources/resource-probe";
import { promisedMs, chooseSize } from "../sizes";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "frontdesk-probe-"));
  mkdirSync(join(folder, "fs"));
  writeFiles(folder, {
    self: "0::/\n",
    "fs/memory.max": "268435456\n",
    "fs/memory.current": "201326592\n",
    "fs/memory.stat": "inactive_file 0\n",
    "fs/cpu.max": "50000 100000\n",
    "fs/cpu.stat": "usage_usec 1000000\n",
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

const noLimits = { root: "/nowhere", self: "/nowhere" };
const machine = () => new MachineProbe({ folder, redis: undefined, places: noLimits });
const container = (elapsed?: () => number) =>
  new MachineProbe({
    folder,
    redis: undefined,
    places: { root: join(folder, "fs"), self: join(folder, "self") },
    ...(elapsed && { elapsed }),
  });

const drivers: Record<string, () => ResourceProbe> = {
  "this machine": machine,
  "a container on it": container,
};

describe.each(Object.entries(drivers))("a probe of %s", (_, create) => {
  it("measures everything the specification's entity has, in its units", async () => {
    const probe = create();
    const { diskUsage, memory, cpu, network, redis, meetings } = (await probe.measure()).resources;
    for (const { usagePercentage, totalBytes, freeBytes } of [diskUsage, memory]) {
      expect(usagePercentage).toBeGreaterThan(0);
      expect(usagePercentage).toBeLessThanOrEqual(100);
      expect(totalBytes).toBeGreaterThan(2 ** 20);
      expect(freeBytes).toBeLessThanOrEqual(totalBytes);
    }
    const shares = Object.values(cpu.coreUsages);
    expect(Object.keys(cpu.coreUsages)).toEqual(
      Array.from({ length: cpu.coreCount }, (_, core) => `Core ${core + 1}`),
    );
    for (const share of [cpu.usagePercentage, ...shares]) {
      expect(share).toBeGreaterThanOrEqual(0);
      expect(share).toBeLessThanOrEqual(100);
    }
    for (const value of Object.values(network)) expect(value).toBeGreaterThanOrEqual(0);
    expect([redis, meetings]).toEqual([undefined, undefined]);
    await probe.close();
  });

  it("has the same rates for two measurements within a second", async () => {
    const probe = create();
    const first = (await probe.measure()).resources;
    const second = (await probe.measure()).resources;
    expect([second.cpu, second.network]).toEqual([first.cpu, first.network]);
  });

  it("costs less than 20 ms of the event loop", async () => {
    const probe = create();
    await probe.measure();
    const costs: number[] = [];
    for (let sample = 0; sample < 20; sample += 1) {
      const before = performance.eventLoopUtilization();
      await probe.measure();
      costs.push(performance.eventLoopUtilization(before).active);
    }
    // The median: a busy machine interrupts some.
    expect(costs.toSorted((a, b) => a - b)[10]).toBeLessThan(promisedMs(20));
  });
});

describe("inside a container", () => {
  it("memory and CPU are those of its limits, not the machine's", async () => {
    let now = 0;
    const probe = container(() => now);
    const { resources, limitedTo } = await probe.measure();
    expect(limitedTo).toEqual({ memory: true, cpu: true });
    const sizes = { totalBytes: 268_435_456, freeBytes: 67_108_864 };
    expect(resources.memory).toEqual({ usagePercentage: 75, ...sizes });
    now = 10_000;
    // Two of the five seconds that half a core has in ten.
    writeFileSync(join(folder, "fs/cpu.stat"), "usage_usec 3000000\n");
    const { cpu } = (await probe.measure()).resources;
    expect(cpu).toEqual({ usagePercentage: 40, coreCount: 1, coreUsages: { "Core 1": 40 } });
    writeFileSync(join(folder, "fs/cpu.stat"), "usage_usec 1000000\n");
  });

  it("limits above the machine's capacity are ignored", async () => {
    const wide = mkdtempSync(join(folder, "wide-"));
    writeFiles(wide, {
      self: "0::/\n",
      "memory.max": "9223372036854771712\n",
      "memory.current": "1\n",
      "cpu.max": "100000000 100000\n",
      "cpu.stat": "usage_usec 1\n",
    });
    const places = { root: wide, self: join(wide, "self") };
    const probe = new MachineProbe({ folder, redis: undefined, places });
    expect((await probe.measure()).limitedTo).toEqual({ memory: false, cpu: false });
  });
});

it("a missing folder fails a measurement, and not the next one", async () => {
  const place = join(folder, "data");
  const probe = new MachineProbe({ folder: place, redis: undefined, places: noLimits });
  await expect(probe.measure()).rejects.toThrow("ENOENT");
  mkdirSync(place);
  expect((await probe.measure()).resources.diskUsage.totalBytes).toBeGreaterThan(0);
});

// R50
it("space that a released reserve left counts as used, down to nothing free", async () => {
  const measure = async (missing: number) => {
    const missingReserve = async () => missing;
    const probe = new MachineProbe({ folder, missingReserve, redis: undefined, places: noLimits });
    return (await probe.measure()).resources.diskUsage;
  };
  const { totalBytes, freeBytes, usagePercentage } = await measure(0);
  const part = await measure(freeBytes / 2);
  expect(part.totalBytes).toBe(totalBytes);
  expect(part.freeBytes).toBeLessThan(0.6 * freeBytes);
  expect(part.usagePercentage).toBeGreaterThan(usagePercentage);
  expect(await measure(2 * totalBytes)).toMatchObject({ freeBytes: 0, usagePercentage: 100 });
});

describe.skipIf(process.platform !== "linux")("the figures agree with the system's own", () => {
  const measured = async () => (await machine().measure()).resources;
  const table = (command: string, ...args: string[]) =>
    execFileSync(command, args, { encoding: "utf8", env: { ...process.env, LC_ALL: "C" } })
      .trim()
      .split("\n")
      .map((line) => line.trim().split(/\s+/));
  /** Runs a tool before and after the measurement, because other programs change the values. */
  const around = async <Figures>(look: () => Figures) => {
    const before = look();
    const found = await measured();
    return { measured: found, seen: [before, look()] };
  };
  const expectBetween = (value: number, figures: readonly number[], tolerance: number) => {
    expect(value).toBeGreaterThanOrEqual(Math.min(...figures) - tolerance);
    expect(value).toBeLessThanOrEqual(Math.max(...figures) + tolerance);
  };

  it("disk with df, within one point", async () => {
    const looks = await around(() => table("df", "-Pk", folder)[1]!);
    const { totalBytes, freeBytes, usagePercentage } = looks.measured.diskUsage;
    const figures = looks.seen.map(([, total, , available, capacity]) => ({
      total: 1024 * Number(total),
      free: 1024 * Number(available),
      percentage: Number.parseInt(capacity!),
    }));
    expect(totalBytes).toBe(figures[0]!.total);
    const free = figures.map((figure) => figure.free);
    expectBetween(freeBytes, free, 0.02 * freeBytes);
    const percentages = figures.map(({ percentage }) => percentage);
    // df rounds up.
    expectBetween(usagePercentage, percentages, 1.1);
  });

  it("memory with /proc/meminfo: the total exactly, what is available within 5 %", async () => {
    // As free(1) reads it, which is no essential part of a system.
    const readKibibytes = (name: string) =>
      Number(new RegExp(`^${name}: +(\\d+) kB$`, "m").exec(readFileSync("/proc/meminfo", "utf8"))?.[1]);
    const looks = await around(() => 1024 * readKibibytes("MemAvailable"));
    const { totalBytes, freeBytes } = looks.measured.memory;
    expect(totalBytes).toBe(1024 * readKibibytes("MemTotal"));
    expectBetween(freeBytes, looks.seen, 0.05 * freeBytes);
  });

  it("CPU with /proc/stat over the same time, within 10 points", async () => {
    const stat = () => {
      const [first] = readFileSync("/proc/stat", "utf8").split("\n");
      const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, soft = 0] = first!
        .split(/\s+/)
        .slice(1)
        .map(Number);
      const busy = user + nice + system + irq + soft;
      return { busy, all: busy + idle + wait };
    };
    const fresh = machine();
    await fresh.measure();
    const before = stat();
    // The rate is a mean over real time.
    await pause(1500);
    const { cpu } = (await fresh.measure()).resources;
    const after = stat();
    const expected = (100 * (after.busy - before.busy)) / (after.all - before.all);
    // Both measurements begin and end some milliseconds apart, more on a busy machine.
    expect(Math.abs(cpu.usagePercentage - expected)).toBeLessThanOrEqual(chooseSize({ daily: 30, full: 10 }));
    expect(cpu.coreCount).toBe(Number(table("nproc", "--all")[0]![0]));
  });

  it("network once, where an interface carries another one", async () => {
    const names = [
      "lo",
      "eth0",
      "eth0.100",
      "bond0",
      "br0",
      "vmbr1",
      "br-4f",
      "docker0",
      "veth1a",
      "wg0",
      "tun0",
    ];
    const numbers = "100 1 0 0 0 0 0 0 50 1 0 0 0 0 0 0";
    const file = join(mkdtempSync(join(tmpdir(), "net-")), "dev");
    const head = "Inter-|   Receive                    |  Transmit\n face |bytes packets|bytes packets\n";
    writeFileSync(file, head + names.map((name) => `${name.padStart(8)}: ${numbers}\n`).join(""));
    expect(await readNetworkCounters(file)).toEqual({ received: 100, transmitted: 50 });
    rmSync(join(file, ".."), { recursive: true });
  });

  it("network with the interfaces' counters, within 1 MB", async () => {
    const sum = (name: string, isCounted: (one: string) => boolean) =>
      readdirSync("/sys/class/net")
        .filter(isCounted)
        .reduce(
          (sum, one) => sum + Number(readFileSync(`/sys/class/net/${one}/statistics/${name}`, "utf8")),
          0,
        );
    const own = await readNetworkCounters();
    const counters = await readNetworkCounters("/nowhere");
    for (const { received, transmitted } of [own, counters]) {
      for (const [value, name] of [
        [received, "rx_bytes"],
        [transmitted, "tx_bytes"],
      ] as const) {
        // A machine may have other interfaces that count, such as a VPN's.
        const cards = sum(name, (one) => /^(?:eth|en|wl)/.test(one));
        const all = sum(name, (one) => one !== "lo");
        expect(value).toBeGreaterThan(cards - 1_048_576);
        expect(value).toBeLessThan(all + 1_048_576);
      }
    }
  });
});
