import { days } from "./durations";

/** How long after their invitation people can be reminded who did not join, in milliseconds; 0: never. */
export const REMINDERS = [0, days(3), days(7), days(14)] as const;
