import { describe, expect, it } from "vitest";
import { hours, seconds } from "~/lib/durations";
import { applyMeasurement, NO_INCIDENT, type IncidentKind } from "./incident-rules";

/** Returns the changes that a series of measurements causes, ten seconds apart. */
function apply(kind: IncidentKind, values: readonly (number | undefined)[]) {
  let state = NO_INCIDENT;
  const changes: string[] = [];
  values.forEach((value, index) => {
    const next = applyMeasurement(kind, state, value, seconds(10 * index));
    state = next.state;
    if (next.change) changes.push(`${next.change} at ${10 * index} s`);
  });
  return { changes, state };
}
const repeat = <Value>(count: number, value: Value) => Array.from({ length: count }, () => value);

const BEGAN_AND_ENDED = ["began at 30 s", "ended at 100 s"];

describe("incidents", () => {
  it("begin after 30 seconds at the limit", () => {
    expect(apply("memory", repeat(3, 70)).changes).toEqual([]);
    expect(apply("memory", repeat(4, 70)).changes).toEqual(["began at 30 s"]);
    expect(apply("memory", repeat(20, 69.9)).changes).toEqual([]);
  });

  it("do not begin when a value drops below the limit in between", () => {
    expect(apply("cpu", [90, 90, 90, 79, 90, 90, 90, 79]).changes).toEqual([]);
  });

  it("end after a minute at the margin below the limit, and not before", () => {
    const begun = repeat(4, 72);
    expect(apply("memory", [...begun, ...repeat(30, 66)]).changes).toEqual(["began at 30 s"]);
    expect(apply("memory", [...begun, ...repeat(6, 65)]).changes).toEqual(["began at 30 s"]);
    expect(apply("memory", [...begun, ...repeat(7, 65)]).changes).toEqual(BEGAN_AND_ENDED);
    const nearlyOver = [...begun, ...repeat(6, 65), 66, ...repeat(6, 65)];
    expect(apply("memory", nearlyOver).changes).toEqual(["began at 30 s"]);
  });

  it.each<[IncidentKind, number, number]>([
    ["cpu", 80, 70],
    ["disk", 75, 73],
    ["meetings", 12, 10],
    ["redis", 1, 0],
  ])("%s begins at %d and ends at %d", (kind, limit, normal) => {
    expect(apply(kind, [...repeat(4, limit), ...repeat(7, normal)]).changes).toEqual(BEGAN_AND_ENDED);
  });

  it("have the highest value as their peak", () => {
    expect(apply("memory", [71, 96, 71, 71, 66]).state).toMatchObject({ isOpen: true, peak: 96 });
    expect(apply("memory", [96, 60]).state.peak).toBe(0);
  });

  it("begin and end after as long when the clock is set back meanwhile", () => {
    let state = NO_INCIDENT;
    const measure = (values: readonly number[], from: number) => {
      const changes = values.map((value, index) => {
        const next = applyMeasurement("memory", state, value, from + seconds(10 * index));
        state = next.state;
        return next.change;
      });
      return changes.indexOf(changes.find(Boolean));
    };
    measure([80, 80], hours(2));
    expect(measure(repeat(10, 80), hours(1))).toBe(3);
    measure([50, 50], hours(2));
    expect(measure(repeat(10, 50), hours(1))).toBe(6);
  });

  it("end when the value is not measured any more", () => {
    expect(apply("meetings", [...repeat(4, 13), ...repeat(7, undefined)]).changes).toEqual(BEGAN_AND_ENDED);
  });
});
