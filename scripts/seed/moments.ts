import { days, hours, minutes } from "~/lib/durations";
import type { Random } from "~/lib/seeded-random";
import { between } from "~/lib/seeded-random";
import { startOfDay } from "~/lib/utc-day";

/** How long the made-up past is. */
export const PAST_DAYS = 90;

/** How busy each hour of a day is, in UTC. */
const BY_HOUR = [2, 1, 1, 1, 1, 2, 4, 7, 10, 11, 10, 9, 8, 10, 11, 10, 9, 8, 7, 7, 6, 5, 4, 3];
/** Days before now on which something was announced, and how much that brought. */
const ANNOUNCED = [
  [74, 9],
  [45, 5],
  [20, 12],
  [6, 7],
] as const;

/** How busy a day was: it grows slowly, rests at weekends, and leaps and fades after an announcement. */
export function busyness(daysAgo: number, weekday: number): number {
  const growth = 1 + (PAST_DAYS - daysAgo) / 45;
  const leaps = ANNOUNCED.filter(([day]) => daysAgo <= day).map(([day, by]) => by * 0.6 ** (day - daysAgo));
  const sum = growth + leaps.reduce((total, by) => total + by, 0);
  return weekday === 0 || weekday === 6 ? sum * 0.45 : sum;
}

/** How busy an hour of a day is, against its quietest. */
export const busynessOfHour = (hour: number): number => BY_HOUR[hour] ?? 1;

/** A moment in the working hours of that day, each day another one. */
export function onDay(now: number, daysAgo: number): number {
  return startOfDay(now) - days(daysAgo) + hours(8 + ((daysAgo * 5) % 9)) + minutes((daysAgo * 37) % 60);
}

/** So many moments of the past as visitors come, in order, none later than five minutes before now. */
export function moments(random: Random, now: number, count: number): number[] {
  const today = startOfDay(now);
  const parts = Array.from({ length: PAST_DAYS * 24 }, (_, index) => {
    const hour = today - days(PAST_DAYS - 1) + hours(index);
    const date = new Date(hour);
    const daysAgo = Math.round((today - startOfDay(hour)) / days(1));
    return { hour, weight: busyness(daysAgo, date.getUTCDay()) * busynessOfHour(date.getUTCHours()) };
  }).filter(({ hour }) => hour < now - hours(1));
  const ends: number[] = [];
  for (const { weight } of parts) ends.push((ends.at(-1) ?? 0) + weight);
  const whole = ends.at(-1) ?? 0;
  return Array.from({ length: count }, () => {
    const at = random() * whole;
    const part = parts[ends.findIndex((end) => end > at)];
    return (part?.hour ?? today) + between(random, 0, hours(1) - minutes(1));
  }).toSorted((a, b) => a - b);
}
