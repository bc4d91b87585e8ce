import { grouped } from "../lib/format-number";
import { countdown, relativeTime, utcTime } from "../lib/format-time";
import type { Waiting } from "../services/outreach/waiting";

/** When a send begins and why one does not move, as operators read it. */
export const outreachPace = {
  later: "Send it later",
  beginAt: "Begin on (date and time in UTC)",
  beginAtHint: (now: number) => `Left empty it begins after your yes. It is ${utcTime(now)} now.`,
  whenMissed: "If that time is missed by more than an hour",
  whenMissedHint: "Because the server was down or the send was paused.",
  whenMissedChoices: { send: "Send as soon as possible", wait: "Wait for me" },
  audience:
    "The recipients are those counted here, also for later: people who sign up later are not included, and who unsubscribes before it is sent is skipped.",
  held: (holdMs: number) =>
    `It begins ${grouped(holdMs / 1000)} seconds after your yes. Until then you can cancel it, and nobody gets it.`,
  problems: {
    "not-a-time": "Please enter a date and a time like 2026-11-21T08:30, in UTC.",
    "time-passed": "This time is over. Please choose one in the future, in UTC.",
    "too-far": "Please choose a time within a year from now.",
    "no-choice": "Please choose what is to happen then.",
  },
  pausedBecause: "This send is paused. The mail server says:",
  beginNow: "Send now",
  beginNowTitle: "Send this campaign now?",
  beginNowQuestion: (waiting: Waiting | undefined) => {
    const planned = waiting?.for === "schedule" ? waiting.until : undefined;
    const instead = planned === undefined ? "" : `, instead of on ${utcTime(planned)}`;
    return `Sending begins at once${instead}. What was sent cannot be taken back.`;
  },
  notNow: "Not now",
  chosen: (recipients: number) =>
    `${grouped(recipients)} ${recipients === 1 ? "recipient is" : "recipients are"} chosen.`,
} as const;

/** Why a send does not move and when it will, in one sentence; `words` are what the mail server said. */
export function waitingInWords(waiting: Waiting, now: number): { sentence: string; words?: string } {
  switch (waiting.for) {
    case "hold":
      return {
        sentence: `Begins ${countdown(waiting.until, now)}, at ${utcTime(waiting.until)}; until then nobody gets it.`,
      };
    case "schedule":
      return {
        sentence: `Begins on ${utcTime(waiting.until)}, ${countdown(waiting.until, now)}; until then nobody gets it.`,
      };
    case "missed":
      return {
        sentence: `It was to begin on ${utcTime(waiting.planned)}, ${relativeTime(waiting.planned, now)}: that time was missed, so it waits for you.`,
      };
    case "operator":
      return { sentence: pausedByOperator(waiting, now) };
    case "allowance":
      return {
        sentence: `Today's allowance of ${grouped(waiting.limit)} mails is used up; goes on at 00:00 UTC, ${countdown(waiting.until, now)}.`,
      };
    case "refusals":
      return {
        sentence: `Paused by itself: ${waiting.refused} of the latest mails were refused for good, so the fault is more likely ours than the recipients'. The mail server says:`,
        words: waiting.words,
      };
    case "login":
      return { sentence: outreachPace.pausedBecause, words: waiting.words };
    case "server":
      return {
        sentence: `The mail server cannot be reached; the send waits and tries again by itself, ${countdown(waiting.until, now)}. Last words:`,
        words: waiting.words,
      };
  }
}

type OperatorPause = Extract<Waiting, { for: "operator" }>;

function pausedByOperator({ planned, paused }: OperatorPause, now: number): string {
  const who = `${pausedBy(paused)}.`;
  if (planned === undefined) return `${who} Resume to send the rest.`;
  if (planned <= now) return `${who} The scheduled time, ${utcTime(planned)}, has passed. Resume to send.`;
  return `${who} Resume before ${utcTime(planned)}, ${countdown(planned, now)}, to keep the scheduled time.`;
}

/** "Paused by ada@example.com, 2026-11-24 09:17 UTC"; "Paused" where nobody was recorded. */
export function pausedBy(paused: { by: string; at: number } | undefined): string {
  return paused ? `Paused by ${paused.by}, ${utcTime(paused.at)}` : "Paused";
}

/** Why a campaign does not move, in the few words a list has room for. */
export function shortWaiting(waiting: Waiting): string {
  switch (waiting.for) {
    case "hold":
    case "schedule":
      return `Begins ${utcTime(waiting.until)}`;
    case "missed":
      return `Scheduled time missed, ${utcTime(waiting.planned)}`;
    case "operator":
      return pausedBy(waiting.paused);
    case "allowance":
      return "Daily limit reached";
    case "refusals":
    case "login":
      return `Paused by itself: ${waiting.words}`;
    case "server":
      return "The mail server could not be reached";
  }
}
