import { describe, expect, it } from "vitest";
import {
  canTransition,
  getLifeCycleState,
  getMovingState,
  isMoving,
  type StoredState,
  type Transition,
} from "./life-cycle";

const STORED: Record<ReturnType<typeof getLifeCycleState>, StoredState> = {
  draft: { state: "draft", hold: "" },
  held: { state: "preparing", hold: "hold" },
  scheduled: { state: "sending", hold: "schedule" },
  sending: { state: "preparing", hold: "" },
  paused: { state: "paused", hold: "operator" },
  cancelled: { state: "cancelled", hold: "" },
  finished: { state: "finished" },
};

describe("the life cycle of campaigns and broadcasts", () => {
  it("is read from the stored columns", () => {
    for (const [state, stored] of Object.entries(STORED)) expect(getLifeCycleState(stored)).toBe(state);
    expect(getLifeCycleState({ state: "sending" })).toBe("sending");
  });

  it.each<[Transition, string[]]>([
    ["confirm", ["draft"]],
    ["edit", ["held", "scheduled"]],
    ["begin", ["held", "scheduled", "paused"]],
    ["reschedule", ["held", "scheduled", "paused"]],
    ["pause", ["held", "scheduled", "sending"]],
    ["resume", ["sending", "paused"]],
    ["retry", ["finished"]],
    ["retryPart", ["sending", "paused", "finished"]],
    ["cancel", ["held", "scheduled", "sending", "paused"]],
  ])("allows to %s in the states %j alone", (transition, states) => {
    const allowed = Object.entries(STORED).filter(([, stored]) => canTransition(stored, transition));
    expect(allowed.map(([state]) => state)).toEqual(states);
  });

  it("continues without an operator when it is held, scheduled or sending", () => {
    const moving = Object.entries(STORED).filter(([, stored]) => isMoving(stored));
    expect(moving.map(([state]) => state)).toEqual(["held", "scheduled", "sending"]);
  });

  it("is preparing until its audience is copied", () => {
    expect(getMovingState({ prepared_through: "", audience_through: "b" })).toBe("preparing");
    expect(getMovingState({ prepared_through: "b", audience_through: "b" })).toBe("sending");
  });
});
