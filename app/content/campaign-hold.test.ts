import { expect, it } from "vitest";
import type { HoldReason } from "~/services/outreach/schedule";
import { summarizeHold, explainHold } from "./campaign-hold";

const NOW = Date.UTC(2026, 10, 21, 15, 40);
const HOUR = 3_600_000;

it.each<[HoldReason, string]>([
  [
    { for: "hold", until: NOW + 42_000 },
    "Begins in 42 seconds, at 2026-11-21 15:40; nobody gets it before then.",
  ],
  [
    { for: "schedule", until: NOW + 17 * HOUR },
    "Begins on 2026-11-22 08:40, in 17 hours; nobody gets it before then.",
  ],
  [
    { for: "missed", planned: NOW - 2 * HOUR },
    "Scheduled for 2026-11-21 13:40, 2 hours ago. That time was missed, so it is paused until you send it.",
  ],
  [
    { for: "operator", paused: { by: "ada@example.com", at: Date.UTC(2026, 10, 21, 9, 17) } },
    "Paused by ada@example.com, 2026-11-21 09:17. Resume to send the rest.",
  ],
  [{ for: "operator" }, "Paused. Resume to send the rest."],
  [{ for: "operator", isInHoldWindow: true }, "Paused. Nobody got it yet. Resume to go on."],
  [
    { for: "operator", planned: NOW + HOUR },
    "Paused. Resume before 2026-11-21 16:40, in 1 hour, to keep the scheduled time.",
  ],
  [
    { for: "operator", planned: NOW - HOUR },
    "Paused. The scheduled time, 2026-11-21 14:40, has passed. Resume to send.",
  ],
  [
    { for: "allowance", limit: 2000, keptFree: 200, until: Date.UTC(2026, 10, 22) },
    "Daily limit of 2,000 emails reached for campaigns, which keep 200 free for other emails; continues at 00:00, in 8 hours.",
  ],
  [
    { for: "allowance", limit: 9, keptFree: 0, until: Date.UTC(2026, 10, 22) },
    "Daily limit of 9 emails reached; continues at 00:00, in 8 hours.",
  ],
  [
    { for: "restored", serverMessage: "Restored from a backup: who was reached is unknown." },
    "Restored from a backup: who was reached is unknown.",
  ],
])("explains the hold %j", (waiting, sentence) => {
  expect(explainHold(waiting, { now: NOW, timeZone: "UTC" })).toEqual({ sentence });
});

it.each<[HoldReason, RegExp]>([
  [
    { for: "refusals", refused: 20, serverMessage: "550 blocked" },
    /^Paused automatically: 20 of the latest emails were rejected/,
  ],
  [{ for: "login", serverMessage: "550 blocked" }, /^Paused: the mail server rejects our login or sender\./],
  [{ for: "server", until: NOW + 40_000, serverMessage: "550 blocked" }, /retrying in 40 seconds\./],
])("explains the hold %j with the mail server's reply", (waiting, sentence) => {
  expect(explainHold(waiting, { now: NOW, timeZone: "UTC" })).toEqual({
    sentence: expect.stringMatching(sentence),
    words: "550 blocked",
  });
});

it("formats planned times in the operator's time zone", () => {
  const reader = { now: NOW, timeZone: "Asia/Tokyo" };
  const planned = NOW + 17 * HOUR;
  const there = "2026-11-22 17:40";
  for (const waiting of [
    { for: "schedule", until: planned },
    { for: "operator", planned },
    { for: "missed", planned },
  ] as const) {
    expect(explainHold(waiting, reader).sentence).toContain(there);
  }
  expect(summarizeHold({ for: "schedule", until: planned }, "Asia/Tokyo")).toBe(`Begins ${there}`);
});
