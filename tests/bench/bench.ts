import { mkdirSync, writeFileSync } from "node:fs";
import { dialects } from "../databases";
import { measureAudiences } from "./audiences";
import { measureIdle } from "./idle";
import { storeBenchResult, type Measurement } from "./results";
import { compareLanding } from "./landing";
import { compareLogging } from "./logging";
import { measureLogs } from "./logs";
import { compareEmails } from "./emails";
import { compareResources } from "./resources";
import { watchMillion } from "./million";
import { comparePages } from "./pages";
import { compareSignups } from "./signups";
import { comparePushes } from "./pushes";
import { aimsAreMet, describeMachine, formatMarkdown } from "./table";
import { compareTables } from "./tables";

type Bench = () => Promise<Measurement | readonly Measurement[]>;

const BENCHES: Record<string, Bench> = {
  idle: measureIdle,
  emails: compareEmails,
  signups: compareSignups,
  landing: compareLanding,
  pages: comparePages,
  resources: compareResources,
  pushes: comparePushes,
  logging: compareLogging,
  logs: onEachDialect(measureLogs),
  tables: onEachDialect(compareTables),
  audiences: onEachDialect(measureAudiences),
  million: onEachDialect(watchMillion),
};

function onEachDialect(measure: (dialect: (typeof dialects)[number]) => Promise<Measurement[]>): Bench {
  return async () => {
    const measured: Measurement[] = [];
    for (const dialect of dialects) measured.push(...(await measure(dialect)));
    return measured;
  };
}

/**
 * Runs the benches. One that fails reports why and stops no other. A missed aim or a failure makes the exit code 1.
 *
 * @param names benches to run, as in `npm run bench -- emails`; without names all.
 */
export async function runBench(names = process.argv.slice(2)): Promise<void> {
  const unknown = names.filter((name) => !(name in BENCHES));
  if (unknown.length > 0) {
    throw new Error(`No bench is named ${unknown.join(", ")}; there are ${Object.keys(BENCHES).join(", ")}.`);
  }
  const began = performance.now();
  const all: Measurement[] = [];
  for (const [name, measure] of Object.entries(BENCHES)) {
    if (names.length > 0 && !names.includes(name)) continue;
    console.info(`Measuring ${name} ...`);
    all.push(...(await measureOne(name, measure)));
  }
  const table = `${formatMarkdown(all)}\n${describeMachine()}, ${secondsSince(began)} s.\n`;
  mkdirSync(".cache", { recursive: true });
  writeFileSync(".cache/bench.md", table);
  console.info(`\n${table}`);
  if (!aimsAreMet(all)) process.exitCode = 1;
}

async function measureOne(name: string, measure: Bench): Promise<readonly Measurement[]> {
  const began = performance.now();
  const day = new Date().toISOString().slice(0, 10);
  try {
    const measured = [await measure()].flat();
    storeBenchResult({ name, day, seconds: secondsSince(began), measured });
    console.info(`  ${name} took ${secondsSince(began)} s`);
    return measured;
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
    const failure = error instanceof Error ? error.message : String(error);
    storeBenchResult({ name, day, seconds: secondsSince(began), measured: [], failure });
    return [];
  }
}

const secondsSince = (began: number): number => Math.round((performance.now() - began) / 1000);
