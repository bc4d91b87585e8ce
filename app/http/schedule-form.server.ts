import { z } from "zod";
import { parseForm, textField, type FieldErrors, type FormValues } from "~/lib/parse-form";
import { zonedMinute } from "~/lib/format-time";
import { getTimeZones, isTimeZone, parseZonedMinute, UTC } from "~/lib/zoned-time";
import { campaignStartMessages } from "~/content/campaign-start";
import type { ScheduleProblem } from "~/services/outreach/schedule";

const { problems } = campaignStartMessages;

type ScheduleValues = Record<"beginAt" | "timeZone" | "whenMissed", string>;

export interface ScheduleAnswer {
  values: ScheduleValues;
  errors: FieldErrors<keyof ScheduleValues>;
}

const schema = z
  .object({
    beginAt: textField({ label: "the date and time", max: 40 }),
    timeZone: z.string().default(UTC).refine(isTimeZone, { error: problems["no-zone"] }),
    whenMissed: z.enum(["send", "wait"], { error: problems["no-choice"] }).default("send"),
  })
  .refine(({ beginAt, timeZone }) => beginAt === "" || parseZonedMinute(beginAt, timeZone) !== undefined, {
    path: ["beginAt"],
    error: problems["not-a-time"],
  });

/**
 * Returns the data of the schedule fields besides their values, with the current time formatted.
 * @param timeZone the operator's.
 */
export function getClocks(timeZone: string) {
  return { now: zonedMinute(Date.now(), timeZone), timeZone, timeZones: getTimeZones() };
}
export type Clocks = ReturnType<typeof getClocks>;

/** Reads a campaign's start from ScheduleFields; an empty time means no schedule. */
export function readSchedule(form: FormValues) {
  const parsed = parseForm(schema, form);
  if (!parsed.ok) {
    const { beginAt = "", timeZone = "", whenMissed = "" } = parsed.values;
    const answer = { values: { beginAt, timeZone, whenMissed }, errors: parsed.errors };
    return { ok: false, answer } as const;
  }
  const { value: values } = parsed;
  const beginAt = parseZonedMinute(values.beginAt, values.timeZone);
  const schedule = beginAt === undefined ? undefined : { beginAt, whenMissed: values.whenMissed };
  return { ok: true, values, schedule } as const;
}

/** Returns the error of a time that is malformed or not allowed. */
export function toTimeRefusal(
  values: ScheduleValues,
  problem: ScheduleProblem | "not-a-time",
): ScheduleAnswer {
  return { values, errors: { beginAt: problems[problem] } };
}
