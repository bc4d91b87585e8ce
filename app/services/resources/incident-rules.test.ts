import { describe, expect, it } from "vitest";
import { seconds } from "~/lib/durations";
import { applyMeasurement, NO_INCIDENT } from "./incident-rules";
import type { IncidentKind } from "./incident-rules";

/** Returns the changes that a series of measurements causes, ten seconds apart. */
function changesOf(kind: IncidentKind, values: readonly (number | undefined)[]) {
  let state = NO_INCIDENT;
  const changes: string[] = [];
  values.forEach((value, index) => {
    const next = applyMeasurement(kind, state, value, seconds(10 * index));
    state = next.state;
    if (next.change) changes.push(`${next.change} at ${10 * index} s`);
  });
  return { changes, state };
}
const times = <Value>(count: number, value: Value) => Array.from({ length: count }, () => value);

describe("incidents", () => {
  it("begin after 30 seconds at the limit", () => {
    expect(changesOf("memory", times(3, 70)).changes).toEqual([]);
    expect(changesOf("memory", times(4, 70)).changes).toEqual(["began at 30 s"]);
    for (const well of [69.9, 40]) expect(changesOf("memory", times(20, well)).changes).toEqual([]);
  });

  it("do not begin with values that come back each time", () => {
    expect(changesOf("cpu", [90, 90, 90, 79, 90, 90, 90, 79]).changes).toEqual([]);
  });

  it("end after a minute well below the limit, and not by hanging around it", () => {
    const begun = times(4, 72);
    expect(changesOf("memory", [...begun, ...times(30, 66)]).changes).toEqual(["began at 30 s"]);
    expect(changesOf("memory", [...begun, ...times(6, 65)]).changes).toEqual(["began at 30 s"]);
    expect(changesOf("memory", [...begun, ...times(7, 65)]).changes).toEqual([
      "began at 30 s",
      "ended at 100 s",
    ]);
    const nearlyOver = [...begun, ...times(6, 65), 66, ...times(6, 65)];
    expect(changesOf("memory", nearlyOver).changes).toEqual(["began at 30 s"]);
  });

  it.each<[IncidentKind, number, number]>([
    ["cpu", 80, 70],
    ["disk", 75, 73],
    ["meetings", 12, 10],
    ["redis", 1, 0],
  ])("%s begins at %d and ends at %d", (kind, limit, well) => {
    expect(changesOf(kind, [...times(4, limit), ...times(7, well)]).changes).toEqual([
      "began at 30 s",
      "ended at 100 s",
    ]);
  });

  it("remember the worst, and forget it when none came of it", () => {
    expect(changesOf("memory", [71, 96, 71, 71, 66]).state).toMatchObject({ isOpen: true, peak: 96 });
    expect(changesOf("memory", [96, 60]).state.peak).toBe(0);
  });

  it("are over when it is not measured any more", () => {
    const values = [...times(4, 13), ...times(7, undefined)];
    expect(changesOf("meetings", values).changes).toEqual(["began at 30 s", "ended at 100 s"]);
  });
});
