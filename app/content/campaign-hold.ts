import { grouped } from "~/lib/format-number";
import { countdown, relativeTime, zonedClock, zonedMinute } from "~/lib/format-time";
import type { HoldReason } from "~/services/outreach/schedule";
import { campaignStartMessages, formatPausedBy } from "./campaign-start";

interface ReaderClock {
  /** Epoch milliseconds. */
  readonly now: number;
  /** An IANA time zone name. */
  readonly timeZone: string;
}

interface HoldExplanation {
  readonly sentence: string;
  /** The mail server's reply, or the error of reaching it; present when emails cannot be sent. */
  readonly words?: string;
}

/** Explains why a campaign is on hold, with times in the reader's zone. */
export function explainHold(waiting: HoldReason, { now, timeZone }: ReaderClock): HoldExplanation {
  switch (waiting.for) {
    case "hold":
      return {
        sentence: `Begins ${countdown(waiting.until, now)}, at ${zonedMinute(waiting.until, timeZone)}; nobody gets it before then.`,
      };
    case "schedule":
      return {
        sentence: `Begins on ${zonedMinute(waiting.until, timeZone)}, ${countdown(waiting.until, now)}; nobody gets it before then.`,
      };
    case "missed":
      return {
        sentence: `Scheduled for ${zonedMinute(waiting.planned, timeZone)}, ${relativeTime(waiting.planned, now)}. That time was missed, so it is paused until you send it.`,
      };
    case "operator":
      return { sentence: pausedByOperator(waiting, { now, timeZone }) };
    case "allowance":
      return {
        sentence: `${allowanceUsedUp(waiting)}; continues at ${zonedClock(waiting.until, timeZone)}, ${countdown(waiting.until, now)}.`,
      };
    case "refusals":
      return {
        sentence: `Paused automatically: ${waiting.refused} of the latest emails were rejected, so the problem is more likely on our side than the recipients'. The mail server says:`,
        words: waiting.serverMessage,
      };
    case "login":
      return { sentence: campaignStartMessages.pausedBecause, words: waiting.serverMessage };
    case "restored":
      return { sentence: waiting.serverMessage };
    case "server":
      return {
        sentence: `The mail server could not be reached; retrying ${countdown(waiting.until, now)}. The last error:`,
        words: waiting.serverMessage,
      };
  }
}

function allowanceUsedUp({ limit, keptFree }: Extract<HoldReason, { for: "allowance" }>): string {
  if (keptFree === 0) return `Daily limit of ${grouped(limit)} emails reached`;
  return `Daily limit of ${grouped(limit)} emails reached for campaigns, which keep ${grouped(keptFree)} free for other emails`;
}

type OperatorPause = Extract<HoldReason, { for: "operator" }>;

function pausedByOperator(
  { planned, isInHoldWindow, paused }: OperatorPause,
  { now, timeZone }: ReaderClock,
): string {
  const who = `${formatPausedBy(paused, timeZone)}.`;
  if (isInHoldWindow) return `${who} Nobody got it yet. Resume to go on.`;
  if (planned === undefined) return `${who} Resume to send the rest.`;
  const time = zonedMinute(planned, timeZone);
  if (planned <= now) return `${who} The scheduled time, ${time}, has passed. Resume to send.`;
  return `${who} Resume before ${time}, ${countdown(planned, now)}, to keep the scheduled time.`;
}

/** Explains why a campaign is on hold, short enough for a list. */
export function summarizeHold(waiting: HoldReason, timeZone: string): string {
  switch (waiting.for) {
    case "hold":
    case "schedule":
      return `Begins ${zonedMinute(waiting.until, timeZone)}`;
    case "missed":
      return `Scheduled time missed, ${zonedMinute(waiting.planned, timeZone)}`;
    case "operator":
      return formatPausedBy(waiting.paused, timeZone);
    case "allowance":
      return "Daily limit reached";
    case "refusals":
    case "login":
    case "restored":
      return `Paused automatically: ${waiting.serverMessage}`;
    case "server":
      return "The mail server could not be reached";
  }
}
