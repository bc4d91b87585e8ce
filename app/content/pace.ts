import { PACES } from "~/lib/campaign-pace";
import { hours } from "~/lib/durations";
import { formatCount, grouped } from "~/lib/format-number";
import { zonedClock, zonedMinute } from "~/lib/format-time";
import type { CampaignPace } from "~/services/outreach/pace.server";

const spans: Record<number, string> = Object.fromEntries(
  PACES.map((ms) => [
    ms,
    ms > hours(24) ? formatCount(ms / hours(24), "day") : formatCount(ms / hours(1), "hour"),
  ]),
);

export const paceMessages = {
  label: "Pace",
  hint: "Spread a long list so that answers, visits and complaints come bit by bit, and there is time to pause.",
  atOnce: "At once",
  /** A choice of the confirmation. */
  over: (paceMs: number, recipients: number) =>
    `Over ${spans[paceMs]}, ${formatRate(recipients / (paceMs / hours(1)))}`,
  unknown: "Please choose one of the paces.",
} as const;

/** "about 33 an hour", or by the day where it is less than one an hour. */
function formatRate(perHour: number): string {
  const [count, unit] = perHour >= 1 ? [perHour, "an hour"] : [perHour * 24, "a day"];
  return `about ${grouped(Math.max(1, Math.round(count)))} ${unit}`;
}

/** Says how fast a campaign is sent and when it will be done: "Spread over 6 hours: about 33 an hour, done around 18:40." */
export function explainPace(
  { paceMs, perHour, doneAt }: CampaignPace,
  { now, timeZone }: { readonly now: number; readonly timeZone: string },
): string {
  const spread = `Spread over ${spans[paceMs]}: ${formatRate(perHour)}`;
  if (doneAt === undefined) return `${spread}.`;
  const [done, today] = [zonedMinute(doneAt, timeZone), zonedMinute(now, timeZone)];
  const isToday = done.slice(0, 10) === today.slice(0, 10);
  return `${spread}, done around ${isToday ? zonedClock(doneAt, timeZone) : done}.`;
}
