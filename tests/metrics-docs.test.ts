import { readFileSync } from "node:fs";
import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { createApplicationMetrics } from "~/services/metrics/application-metrics.server";
import { createMetrics } from "../server/observability/metrics";

const page = readFileSync("docs/metrics.md", "utf8");
const NAME = /\b(?:frontdesk|process|nodejs)_[a-z0-9_]+\b/g;
/** Suffixes that the format adds to the name of a histogram. */
const ADDED = /_(?:bucket|sum|count)$/;

function told(): Map<string, { help: string; labels: string[] }> {
  const { registry, watchProcess } = createMetrics({
    running: () => 0,
    waiting: () => 0,
    lagMs: () => 0,
    dropped: () => 0,
    unwritten: () => 0,
  });
  watchProcess();
  const database = { probe: () => Promise.reject(new Error("not asked")) };
  createApplicationMetrics({
    registry,
    database: { ...database, read: undefined as never },
    version: "1",
    clock: () => 0,
    freeDisk: async () => 0,
    lastBackup: async () => undefined,
  });
  expect(registry).toBeInstanceOf(Registry);
  const metrics = registry.getMetricsAsArray() as unknown as {
    name: string;
    help: string;
    labelNames: string[];
  }[];
  return new Map(metrics.map(({ name, help, labelNames }) => [name, { help, labels: labelNames }]));
}

it("docs/metrics.md names only what /metrics tells, and all of ours", () => {
  const known = told();
  const named = new Set(
    [...page.matchAll(NAME)].map(([name]) => (known.has(name) ? name : name.replace(ADDED, ""))),
  );
  expect([...named].filter((name) => !known.has(name))).toEqual([]);
  const ours = [...known.keys()].filter((name) => name.startsWith("frontdesk_"));
  expect(ours.filter((name) => !named.has(name))).toEqual([]);
});

it("its table has the labels of each, and whose they are as the help says", () => {
  const rows = page.matchAll(/^\| `(frontdesk_\w+)` *\| ([a-z, ]*?) *\| (instance|database) *\|/gm);
  const table = [...rows].map(([, name, labels = "", of]) => [name, labels.split(", ").filter(Boolean), of]);
  const ours = [...told()].filter(([name]) => name.startsWith("frontdesk_"));
  const expected = ours.map(([name, { help, labels }]) => [
    name,
    labels,
    help.includes("The same from every instance.") ? "database" : "instance",
  ]);
  expect(table.sort()).toEqual(expected.sort());
});
