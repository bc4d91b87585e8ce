import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { createApplicationMetrics } from "~/services/metrics/application-metrics.server";
import { createMetrics } from "../server/observability/metrics";

const page = readFileSync("docs/metrics.md", "utf8");
const NAME = /\b(?:frontdesk|process|nodejs)_[a-z0-9_]+\b/g;
/** Suffixes that the format adds to the name of a histogram. */
const ADDED = /_(?:bucket|sum|count)$/;

interface Metric {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
}

function listMetrics(): Map<string, Metric> {
  const zero = () => 0;
  const { registry, watchProcess } = createMetrics({
    running: zero,
    waiting: zero,
    waitingFor: zero,
    lagMs: zero,
    dropped: zero,
    unwritten: zero,
  });
  watchProcess();
  createApplicationMetrics({
    registry,
    database: { read: undefined as never, probe: async () => undefined },
    version: "1",
    elapsed: zero,
    freeDisk: async () => 0,
    getAllowance: async () => undefined,
    lastBackup: async () => undefined,
  });
  const metrics = registry.getMetricsAsArray() as unknown as readonly Metric[];
  return new Map(metrics.map((metric) => [metric.name, metric]));
}

it("docs/metrics.md names only metrics of /metrics, and all of ours", () => {
  const known = listMetrics();
  const named = new Set(
    [...page.matchAll(NAME)].map(([name]) => (known.has(name) ? name : name.replace(ADDED, ""))),
  );
  expect([...named].filter((name) => !known.has(name))).toEqual([]);
  const ours = [...known.keys()].filter((name) => name.startsWith("frontdesk_"));
  expect(ours.filter((name) => !named.has(name))).toEqual([]);
});

it("its table has the labels of each, and the source that its help names", () => {
  const rows = page.matchAll(/^\| `(frontdesk_\w+)` *\| ([a-z, ]*?) *\| (instance|database) *\|/gm);
  const table = [...rows].map(([, name, labels = "", of]) => [name, labels.split(", ").filter(Boolean), of]);
  const ours = [...listMetrics().values()].filter(({ name }) => name.startsWith("frontdesk_"));
  const expected = ours.map(({ name, help, labelNames }) => [
    name,
    labelNames,
    help.includes("The same from every instance.") ? "database" : "instance",
  ]);
  expect(table.sort()).toEqual(expected.sort());
});
