import { formatCount, grouped } from "~/lib/format-number";
import { zonedMinute } from "~/lib/format-time";

export const campaignStartMessages = {
  later: "Send later",
  beginAt: "Send on",
  beginAtHint: (now: string) => `Leave empty to send now. It is ${now}.`,
  nowThere: (now: string) => `It is ${now}.`,
  timeZone: "Time zone",
  timeZoneHint: "The zone of the time above: yours, unless you choose another.",
  whenMissed: "If that time is missed by more than an hour",
  whenMissedHint: "Because the server was down or the campaign was paused.",
  whenMissedChoices: { send: "Send as soon as possible", wait: "Pause and wait for me" },
  audience:
    "The recipients are those counted here: people who sign up later are not included, and people who unsubscribe before it is sent are skipped.",
  held: (holdMs: number) =>
    `Sending begins ${grouped(holdMs / 1000)} seconds after you confirm. Until then you can cancel it, and nobody gets it.`,
  problems: {
    "not-a-time": "Please enter a date and a time that exist in this zone, like 2026-11-21T08:30.",
    "time-passed": "This time has passed. Please choose one in the future.",
    "too-far": "Please choose a time within a year from now.",
    "no-zone": "Please choose one of the time zones.",
    "no-choice": "Please choose what should happen then.",
  },
  pausedBecause: "Paused: the mail server rejects our login or sender. It says:",
  beginNow: "Send now",
  beginNowTitle: "Send this campaign now?",
  beginNowQuestion: (planned: string | undefined) => {
    const instead = planned === undefined ? "" : `, instead of on ${planned}`;
    return `Sending begins at once${instead}. Emails already sent cannot be recalled.`;
  },
  notNow: "Not now",
  edit: "Edit",
  editTitle: "Edit this campaign?",
  editQuestion: (planned: string | undefined) => {
    const kept = planned === undefined ? "" : ` Its time, ${planned}, is kept for that.`;
    return `It becomes a draft again, and nobody gets it until you confirm it again.${kept} Its recipients are then counted again.`;
  },
  /** Above the form of a draft that was scheduled. */
  wasPlanned: (planned: string) =>
    `This draft was scheduled for ${planned}. Nobody gets it until you confirm it again; the confirmation proposes that time.`,
  reschedule: "Reschedule",
  rescheduleTitle: "Reschedule this campaign",
  rescheduleText: "The recipients stay the same as when it was confirmed.",
  saveTime: "Save time",
  keepTime: "Keep as planned",
  chosen: (recipients: number) => `${formatCount(recipients, "recipient is", "recipients are")} chosen.`,
} as const;

/** Returns "Paused by ada@example.com, 2026-11-24 09:17", or "Paused" when nobody was recorded. */
export function formatPausedBy(paused: { by: string; at: number } | undefined, timeZone: string): string {
  return paused ? `Paused by ${paused.by}, ${zonedMinute(paused.at, timeZone)}` : "Paused";
}
