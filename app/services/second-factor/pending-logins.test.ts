import { expect, it } from "vitest";
import { minutes } from "~/lib/durations";
import { createPendingLogin, isPendingLoginOver } from "./pending-logins.server";

const NOW = Date.UTC(2026, 10, 21, 8);
const ADA = { accountId: "ada", passwordFingerprint: "fingerprint" };

// R35
it.each([
  ["an instance five minutes behind is good at once on one whose clock is right", -minutes(5), 1000, true],
  ["an instance five minutes ahead is good", minutes(5), 1000, true],
  ["one instance is good until its cookie ends", 0, minutes(5), true],
  ["one instance is over five minutes after its cookie", 0, minutes(10), false],
])("a pending login of %s", (_, difference, laterMs, isGood) => {
  const pending = createPendingLogin(ADA, NOW + difference);
  expect(isPendingLoginOver(pending, NOW + laterMs)).toBe(!isGood);
});
