import { expect, it } from "vitest";
import { getCampaignResult } from "./outreach-progress";

const FINISHED = { state: "finished", waiting: undefined, sent: 3, failed: 0, uncertain: 0 } as const;

it.each<[string, Partial<Parameters<typeof getCampaignResult>[0]>, string, string | undefined]>([
  ["a campaign that reached everybody succeeded", {}, "success", "Emails sent successfully"],
  ["a campaign with a failed email did not succeed", { failed: 1 }, "error", "Error sending Emails"],
  ["a campaign with an uncertain email did not succeed", { uncertain: 1 }, "error", "Error sending Emails"],
  ["a cancelled campaign is no error", { state: "cancelled", failed: 1 }, "info", "Campaign cancelled"],
  [
    "a campaign whose recipients were all skipped sent nothing",
    { sent: 0 },
    "info",
    "No emails sent: every recipient was skipped",
  ],
  ["a campaign that an operator paused is no error", { state: "paused" }, "info", undefined],
  [
    "a campaign that missed its start is no error",
    { state: "paused", waiting: { for: "missed", planned: 0 } },
    "info",
    undefined,
  ],
  [
    "a campaign that a restore paused is no error",
    { state: "paused", waiting: { for: "restored", serverMessage: "A backup was restored." } },
    "info",
    undefined,
  ],
  [
    "a campaign that the mail server stopped is an error",
    { state: "paused", waiting: { for: "login", serverMessage: "535" } },
    "error",
    "Error sending Emails",
  ],
])("%s", (_, differing, kind, text) => {
  expect(getCampaignResult({ ...FINISHED, ...differing })).toEqual(
    text === undefined ? { kind } : { kind, text },
  );
});
