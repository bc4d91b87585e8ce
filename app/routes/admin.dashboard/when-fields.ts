import { z } from "zod";
import type { FieldErrors, FormValues } from "~/lib/parse-form";
import { parseForm, textField } from "~/lib/parse-form";
import { utcMinute } from "~/lib/utc-day";
import { outreachPace } from "~/operator-messages/outreach-pace";
import type { Schedule, ScheduleProblem } from "~/services/outreach/plan";

const { problems } = outreachPace;

export interface WhenValues {
  beginAt: string;
  whenMissed: string;
}

/** What stood in the fields, and what is wrong with it. */
export interface WhenAnswer {
  values: WhenValues;
  errors: FieldErrors<keyof WhenValues>;
}

const schema = z.object({
  beginAt: textField({ label: "the date and time", max: 40 }).refine(
    (value) => value === "" || utcMinute(value) !== undefined,
    { error: problems["not-a-time"] },
  ),
  whenMissed: z.enum(["send", "wait"], { error: problems["no-choice"] }).default("send"),
});

/** When the send is to begin, as the fields of the confirm step say; an empty time is no schedule. */
export function readWhen(
  form: FormValues,
): { ok: true; values: WhenValues; schedule: Schedule | undefined } | { ok: false; answer: WhenAnswer } {
  const parsed = parseForm(schema, form);
  if (!parsed.ok) {
    const { beginAt = "", whenMissed = "" } = parsed.values;
    return { ok: false, answer: { values: { beginAt, whenMissed }, errors: parsed.errors } };
  }
  const values = parsed.value;
  const beginAt = utcMinute(values.beginAt);
  const schedule = beginAt === undefined ? undefined : { beginAt, whenMissed: values.whenMissed };
  return { ok: true, values, schedule };
}

/** What the service said of the time. */
export function refusedTime(values: WhenValues, problem: ScheduleProblem): WhenAnswer {
  return { values, errors: { beginAt: problems[problem] } };
}
