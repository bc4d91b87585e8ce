import { expect, it } from "vitest";
import { getBroadcastResult } from "./broadcast-progress";

const STATS = {
  devices: 3,
  sent: 3,
  failed: 0,
  gone: 0,
  skipped: 0,
  waiting: 0,
  retrying: 0,
  platform: undefined,
};
const result = (
  differing: object,
  state: "finished" | "cancelled" | "paused" = "finished",
  hold: Parameters<typeof getBroadcastResult>[1] = { by: "", detail: "" },
) => getBroadcastResult(state, hold, { ...STATS, ...differing });

it("a broadcast that reached a device succeeded, and says how many it missed", () => {
  expect(result({})).toEqual({ kind: "success", text: "Successfully sent to 3 devices" });
  expect(result({ sent: 1, failed: 1, gone: 1 })).toEqual({
    kind: "success",
    text: "Successfully sent to 1 devices (2 failed)",
  });
});

it("a broadcast that reached nobody did not succeed", () => {
  expect(result({ sent: 0, failed: 3 })).toEqual({ kind: "error", text: "Sent to no device (3 failed)" });
  const skipped = { sent: 0, skipped: 3 };
  expect(result(skipped)).toEqual({ kind: "info", text: "Sent to no device: all of them were skipped" });
  // The application's backend knew no device.
  expect(result({ devices: 0, sent: 0 })).toEqual({ kind: "info", text: "Sent to no device" });
});

it("a broadcast is an error only when the push service stopped it", () => {
  expect(result({ sent: 2 }, "cancelled")).toEqual({ kind: "info", text: "Cancelled after 2 devices." });
  expect(result({}, "paused", { by: "operator", detail: "" }).kind).toBe("info");
  expect(result({}, "paused", { by: "restored", detail: "It was restored." })).toEqual({
    kind: "info",
    text: "It was restored.",
  });
  expect(result({}, "paused", { by: "unauthorized", detail: "401 bad keys" })).toEqual({
    kind: "error",
    text: "Failed to send broadcast notification: bad keys",
  });
  expect(result({}, "paused", { by: "unauthorized", detail: "401" }).text).toBe(
    "Failed to send notification",
  );
});
