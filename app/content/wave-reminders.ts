import { formatCount } from "~/lib/format-number";
import { days } from "~/lib/durations";
import { REMINDERS } from "~/lib/wave-reminders";

const toDays = (remindMs: number) => formatCount(remindMs / days(1), "day");

/** Texts of the reminders of waves. */
export const waveReminderMessages = {
  label: "Reminder",
  hint: "Once, with the same text and link, to whoever was invited and has not joined by then.",
  never: "No reminder",
  choices: Object.fromEntries(
    REMINDERS.filter((each) => each > 0).map((each) => [each, `After ${toDays(each)}`]),
  ) as Record<number, string>,
  unknown: "Please choose one of the times.",
  /** Title of a reminder. */
  toTitle: (title: string) => `Reminder: ${title}`,
  /** Of a wave. */
  explain: (remindMs: number) =>
    `Whoever has not joined ${toDays(remindMs)} after their invitation is reminded once.`,
} as const;
