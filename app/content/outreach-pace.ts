import { grouped } from "~/lib/format-number";
import { utcTime } from "~/lib/format-time";

/** When a campaign begins, as operators read it. */
export const outreachPace = {
  later: "Send it later",
  beginAt: "Begin on",
  beginAtHint: (now: string) => `Left empty it begins after your yes. It is ${now} now.`,
  nowThere: (now: string) => `It is ${now} now.`,
  timeZone: "Time zone",
  timeZoneHint: "In which the time above is meant. This browser keeps your choice.",
  whenMissed: "If that time is missed by more than an hour",
  whenMissedHint: "Because the server was down or the send was paused.",
  whenMissedChoices: { send: "Send as soon as possible", wait: "Wait for me" },
  audience:
    "The recipients are those counted here, also for later: people who sign up later are not included, and who unsubscribes before it is sent is skipped.",
  held: (holdMs: number) =>
    `It begins ${grouped(holdMs / 1000)} seconds after your yes. Until then you can cancel it, and nobody gets it.`,
  problems: {
    "not-a-time": "Please enter a date and a time that exist there, like 2026-11-21T08:30.",
    "time-passed": "This time is over. Please choose one in the future.",
    "too-far": "Please choose a time within a year from now.",
    "no-zone": "Please choose one of the time zones.",
    "no-choice": "Please choose what is to happen then.",
  },
  pausedBecause: "This send is paused. The mail server says:",
  beginNow: "Send now",
  beginNowTitle: "Send this campaign now?",
  beginNowQuestion: (planned: string | undefined) => {
    const instead = planned === undefined ? "" : `, instead of on ${planned}`;
    return `Sending begins at once${instead}. What was sent cannot be taken back.`;
  },
  notNow: "Not now",
  reschedule: "Reschedule",
  rescheduleTitle: "Reschedule this campaign",
  rescheduleText: "The recipients stay those that were counted when it was confirmed.",
  saveTime: "Save time",
  keepTime: "Keep as planned",
  chosen: (recipients: number) =>
    `${grouped(recipients)} ${recipients === 1 ? "recipient is" : "recipients are"} chosen.`,
} as const;

/** "Paused by ada@example.com, 2026-11-24 09:17 UTC"; "Paused" where nobody was recorded. */
export function pausedBy(paused: { by: string; at: number } | undefined): string {
  return paused ? `Paused by ${paused.by}, ${utcTime(paused.at)}` : "Paused";
}
