import { describe, expect, it } from "vitest";
import { seconds } from "~/lib/durations";
import { turned, WELL } from "./incident-rules";
import type { IncidentKind } from "./incident-rules";

/** The turns a row of measurements makes, ten seconds apart. */
function turnsOf(kind: IncidentKind, values: readonly (number | undefined)[]) {
  let standing = WELL;
  const turns: string[] = [];
  values.forEach((value, index) => {
    const next = turned(kind, standing, value, seconds(10 * index));
    standing = next.standing;
    if (next.turn) turns.push(`${next.turn} at ${10 * index} s`);
  });
  return { turns, standing };
}
const times = <Value>(count: number, value: Value) => Array.from({ length: count }, () => value);

describe("incidents", () => {
  it("begin after 30 seconds at the limit", () => {
    expect(turnsOf("memory", times(3, 70)).turns).toEqual([]);
    expect(turnsOf("memory", times(4, 70)).turns).toEqual(["began at 30 s"]);
    for (const well of [69.9, 40]) expect(turnsOf("memory", times(20, well)).turns).toEqual([]);
  });

  it("do not begin with values that come back each time", () => {
    expect(turnsOf("cpu", [90, 90, 90, 79, 90, 90, 90, 79]).turns).toEqual([]);
  });

  it("end after a minute well below the limit, and not by hanging around it", () => {
    const begun = times(4, 72);
    expect(turnsOf("memory", [...begun, ...times(30, 66)]).turns).toEqual(["began at 30 s"]);
    expect(turnsOf("memory", [...begun, ...times(6, 65)]).turns).toEqual(["began at 30 s"]);
    expect(turnsOf("memory", [...begun, ...times(7, 65)]).turns).toEqual(["began at 30 s", "ended at 100 s"]);
    const nearlyOver = [...begun, ...times(6, 65), 66, ...times(6, 65)];
    expect(turnsOf("memory", nearlyOver).turns).toEqual(["began at 30 s"]);
  });

  it.each<[IncidentKind, number, number]>([
    ["cpu", 80, 70],
    ["disk", 75, 73],
    ["meetings", 12, 10],
    ["redis", 1, 0],
  ])("%s begins at %d and ends at %d", (kind, limit, well) => {
    expect(turnsOf(kind, [...times(4, limit), ...times(7, well)]).turns).toEqual([
      "began at 30 s",
      "ended at 100 s",
    ]);
  });

  it("remember the worst, and forget it when none came of it", () => {
    expect(turnsOf("memory", [71, 96, 71, 71, 66]).standing).toMatchObject({ isOpen: true, peak: 96 });
    expect(turnsOf("memory", [96, 60]).standing.peak).toBe(0);
  });

  it("are over when it is not measured any more", () => {
    const values = [...times(4, 13), ...times(7, undefined)];
    expect(turnsOf("meetings", values).turns).toEqual(["began at 30 s", "ended at 100 s"]);
  });
});
