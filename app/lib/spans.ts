import { days } from "./durations";
import { startOfDay } from "./utc-day";

/** Lengths of time that a screen of figures can show, in UTC days, today among them. */
const DAYS = { month: 30, quarter: 90, year: 365 } as const;

export const SPANS = ["month", "quarter", "year"] as const satisfies readonly (keyof typeof DAYS)[];
export type Span = (typeof SPANS)[number];

/** Returns the first millisecond of a span that ends now. */
export const startOfSpan = (span: Span, now: number): number => startOfDay(now) - days(DAYS[span] - 1);
