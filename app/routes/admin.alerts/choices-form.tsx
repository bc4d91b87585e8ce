import { Form, useNavigation } from "@remix-run/react";
import type { ReactNode } from "react";
import { FormField } from "~/components/form-field";
import { IntentButton } from "~/components/intent-button";
import { TextLink } from "~/components/text-link";
import { Timestamp } from "~/components/timestamp";
import { Card } from "~/components/ui/card";
import { NativeSelect } from "~/components/ui/native-select";
import { alertMessages as copy } from "~/content/alerts";
import { ALERT_CHOICES, ALERT_EVENTS, type AlertEvent } from "~/lib/alert-choices";
import { paths } from "~/paths";
import type { actOnAlerts } from "./actions.server";
import type { AlertsView } from "./alerts-view.server";

type Refused = Exclude<Awaited<ReturnType<typeof actOnAlerts>>, Response>["data"];

interface ChoicesFormProps {
  view: AlertsView;
  /** The refusal of this form, if it was sent last. */
  refused: Refused | undefined;
}

/** From md on the control is beside its label and hint. */
const BESIDE = [
  "md:grid md:grid-cols-[minmax(0,1fr)_14rem] md:gap-x-6 md:gap-y-1",
  "md:*:data-[slot=native-select-wrapper]:col-start-2 md:*:data-[slot=native-select-wrapper]:row-span-2",
  "md:*:data-[slot=native-select-wrapper]:row-start-1 md:*:data-[slot=field-error]:col-start-2",
].join(" ");

const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour));

/** What the person is told about, and how. */
export function ChoicesForm({ view, refused }: ChoicesFormProps) {
  const { choices, timeZone } = view;
  const busy = useNavigation().formData?.get("intent") === "choose";
  return (
    <Card>
      <Form method="post" action={paths.alerts} aria-label={copy.label} className="divide-y">
        {ALERT_EVENTS.map((event) => (
          <Choice
            key={event}
            {...copy.events[event]}
            field={event}
            stored={choices[event]}
            options={ALERT_CHOICES.map((choice) => [choice, copy.choices[choice]])}
            refused={refused}
          >
            <Unopened event={event} view={view} />
            {event === "incident" && view.areIncidentsEmailed ? (
              <p className="text-xs text-muted-foreground">{copy.incidentMails}</p>
            ) : null}
          </Choice>
        ))}
        <Choice
          {...copy.summary}
          field="summary"
          stored={choices.summary}
          options={(["off", "daily"] as const).map((choice) => [choice, copy.choices[choice]])}
          refused={refused}
        />
        <Choice
          name={copy.hour}
          about={
            <>
              {copy.hourHint(timeZone)} <TextLink to={paths.ownTimeZone}>{copy.changeZone}</TextLink>
            </>
          }
          field="hour"
          stored={String(choices.hour)}
          options={HOURS.map((hour) => [hour, `${hour.padStart(2, "0")}:00`])}
          refused={refused}
        />
        <div className="p-4 lg:px-6">
          <IntentButton intent="choose" variant="default" disabled={busy}>
            {busy ? copy.saving : copy.save}
          </IntentButton>
        </div>
      </Form>
    </Card>
  );
}

interface ChoiceProps {
  name: string;
  about: ReactNode;
  field: AlertEvent | "summary" | "hour";
  stored: string;
  options: readonly (readonly [value: string, label: string])[];
  refused: Refused | undefined;
  children?: ReactNode;
}

function Choice({ name, about, field, stored, options, refused, children }: ChoiceProps) {
  return (
    <div className="flex flex-col gap-2 p-4 lg:px-6">
      <FormField label={name} hint={about} error={refused?.errors[field]} className={BESIDE}>
        {(control) => (
          <NativeSelect
            {...control}
            key={stored}
            name={field}
            defaultValue={refused?.values[field] ?? stored}
            className="self-start max-md:max-w-xs"
          >
            {options.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </NativeSelect>
        )}
      </FormField>
      {children}
    </div>
  );
}

/** What was told at once, and waits for its page to be opened. */
function Unopened({ event, view: { unopened, moreUnopened, now } }: { event: AlertEvent; view: AlertsView }) {
  const told = unopened[event];
  if (told.length === 0) return null;
  return (
    <ul className="flex flex-col gap-1 text-xs text-muted-foreground">
      {told.map(({ subject, told_at }) => (
        <li key={subject}>
          {copy.told} <Timestamp at={told_at ?? now} now={now} />. {copy.unopened[event]}{" "}
          <TextLink to={toPage(event, subject)}>{copy.openPage[event]}</TextLink>
        </li>
      ))}
      {event === "campaign" && moreUnopened > 0 ? <li>{copy.moreUnopened(moreUnopened)}</li> : null}
    </ul>
  );
}

/** Returns the page that is opened to be told of such an event again. */
export function toPage(event: AlertEvent, subject: string): string {
  if (event === "campaign") return paths.outreachCampaign(subject);
  return event === "inquiry" ? paths.openInquiries : paths.resources;
}
