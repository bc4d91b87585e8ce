import { cpus } from "node:os";
import { readFile } from "node:fs/promises";
import { performance } from "node:perf_hooks";
import type { Database } from "~/db/database.server";
import { MachineProbe } from "~/services/resources/drivers/machine-probe.server";
import { createHistory, RESOLUTIONS } from "~/services/resources/history.server";
import { dialects, testDatabase } from "../databases";
import { quantile } from "../server/visitors";
import { figure, type Figure } from "./measurement";
import type { Measurement } from "./results";
import { compare, repeat, toSide } from "./rounds";

const EACH = 50;
const ROUNDS = { warmUps: 1, rounds: 5 };
const WITHIN = { sample: 20, history: 50 };
const INSTANCE = "bench:3000";

/** Compares a resource sample with one that only reads the kernel's figures; and measures a month of history. */
export async function compareResources(): Promise<Measurement[]> {
  const measured = await compareSamples();
  for (const dialect of dialects) measured.push(...(await compareMonths(dialect)));
  return measured;
}

async function compareSamples(): Promise<Measurement[]> {
  // Samples are ten seconds apart: sooner, rates are not computed again.
  let now = 0;
  const probe = new MachineProbe({ folder: ".", redis: undefined, elapsed: () => (now += 10_000) });
  await probe.measure();
  const times: number[] = [];
  const compared = await compare(
    "Samples of the resources, a second",
    side("the product", async () => {
      const before = performance.eventLoopUtilization();
      await probe.measure();
      times.push(performance.eventLoopUtilization(before).active);
    }),
    side("bare: the kernel's files", async () => {
      cpus();
      await Promise.all(["/proc/meminfo", "/proc/net/dev"].map((file) => readFile(file)));
    }),
    ROUNDS,
  );
  return [compared, within95("Event loop of a sample of the resources", times, WITHIN.sample)];
}

/** Compares thirty days in 15-minute steps of ten instances with a day by the minute. */
async function compareMonths(dialect: (typeof dialects)[number]): Promise<Measurement[]> {
  const place = await testDatabase(dialect);
  const database = await place.open();
  await fill(database);
  const history = createHistory({ database, clock: Date.now, instance: INSTANCE });
  const times: number[] = [];
  const compared = await compare(
    `Reading the history on ${dialect}, a second`,
    side("30 days", async () => {
      const began = performance.now();
      const rows = await history.list("month");
      times.push(performance.now() - began);
      if (rows.length < 2800) throw new Error(`A month has ${rows.length} rows`);
    }),
    side("a day", async () => void (await history.list("day"))),
    ROUNDS,
  );
  await database.close();
  await place.remove();
  return [compared, within95(`A month of history on ${dialect}`, times, WITHIN.history)];
}

async function fill(database: Database): Promise<void> {
  const now = Date.now();
  const values = { samples: 90, cpu: 31.4, cpu_peak: 88.8, memory: 61.2, memory_peak: 64.1, disk: 24.9 };
  for (let instance = 0; instance < 10; instance += 1) {
    const name = instance === 0 ? INSTANCE : `bench-${instance}:3000`;
    for (const { step, retentionMs: keptFor } of Object.values(RESOLUTIONS)) {
      const rows = Array.from({ length: keptFor / step - 1 }, (_, index) => ({
        instance: name,
        step,
        at: now - index * step,
        ...values,
        inbound: 12.5,
        outbound: 8.25,
        meetings: 6,
      }));
      for (let from = 0; from < rows.length; from += 500) {
        const piece = rows.slice(from, from + 500);
        await database.write((trx) => trx.insertInto("resource_samples").values(piece).execute());
      }
    }
  }
}

const side = (name: string, work: () => Promise<void>) => toSide(name, process, () => repeat(EACH, work));

/** Returns the time of 95 of 100, without the warm-up. */
function within95(what: string, times: readonly number[], atMost: number): Figure {
  const steady = times.slice(EACH * ROUNDS.warmUps);
  return figure(`${what}, 95 of 100 within`, quantile(steady, 0.95), "ms", atMost);
}
