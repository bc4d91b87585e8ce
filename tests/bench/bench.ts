import { mkdirSync, writeFileSync } from "node:fs";
import { compareLanding } from "./landing";
import { compareMails } from "./mails";
import { compareSignups } from "./signups";
import { asMarkdown } from "./table";
import type { Comparison } from "./table";

const COMPARISONS: Record<string, () => Promise<Comparison | Comparison[]>> = {
  mails: compareMails,
  signups: compareSignups,
  landing: compareLanding,
};

/** @param names which comparisons; all of them when none is named, as in `npm run bench -- mails`. */
export async function runBench(names = process.argv.slice(2)): Promise<void> {
  const began = performance.now();
  const results: Comparison[] = [];
  for (const [name, compare] of Object.entries(COMPARISONS)) {
    if (names.length > 0 && !names.includes(name)) continue;
    console.info(`Measuring ${name} ...`);
    results.push(...[await compare()].flat());
  }
  const table = asMarkdown(results, Math.round((performance.now() - began) / 1000));
  mkdirSync(".cache", { recursive: true });
  writeFileSync(".cache/bench.md", table);
  console.info(`\n${table}`);
}
