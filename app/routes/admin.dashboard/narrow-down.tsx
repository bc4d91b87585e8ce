import { useId } from "react";
import { ChoiceField } from "~/components/choice-field";
import { DayField } from "~/components/day-fields";
import { TextField } from "~/components/text-field";
import {
  Collapsible,
  CollapsibleContent,
  CollapsibleIcon,
  CollapsibleTrigger,
} from "~/components/ui/collapsible";
import { audienceMessages as copy } from "~/content/audiences";
import { peopleMessages } from "~/content/people";
import { submissionMessages } from "~/content/submissions";
import type { NarrowingErrors, NarrowingValues } from "~/http/lists/narrowing";
import { capitalize } from "~/lib/capitalize";
import { CHOICES } from "~/lib/form-fields";
import type { AudienceSummary } from "./outreach-view.server";
import type { useAutosave } from "./use-autosave";

/** The fields that narrow an audience, as typed, with their errors. */
export interface NarrowFields {
  readonly values: NarrowingValues;
  readonly errors: NarrowingErrors;
}

interface NarrowDownProps {
  fields: NarrowFields;
  summary: AudienceSummary;
  /** To choose from, newest first. */
  campaigns: readonly { readonly id: string; readonly title: string }[];
  /** Whether anybody was invited, or joined. */
  hasWaves: boolean;
  /** Why the summary is not that of what is typed: see useAutosave. */
  counting: ReturnType<typeof useAutosave>["counting"];
  /** Whether the first five are shown elsewhere. */
  isPreviewed: boolean;
}

/** Narrows the group down: folded, because most campaigns go to all of it. The folded line says what is chosen. */
export function NarrowDown({ fields, summary, campaigns, hasWaves, counting, isPreviewed }: NarrowDownProps) {
  const { values, errors } = fields;
  const field = (name: keyof NarrowingValues) => ({ name, value: values[name], error: errors[name] });
  const text = (name: keyof NarrowingValues) => ({
    name,
    defaultValue: values[name],
    error: errors[name],
    autoComplete: "off",
    autoCapitalize: "none",
  });
  const titles = Object.fromEntries(campaigns.map(({ id, title }) => [id, title]));
  return (
    <Collapsible open={Object.keys(errors).length > 0} className="rounded-md border">
      <CollapsibleTrigger className="min-h-10 flex-wrap gap-y-0 rounded-md px-3 py-2 hover:bg-muted/60">
        <CollapsibleIcon />
        <span className="font-medium">{copy.narrowDown}</span>
        <span aria-live="polite" className="min-w-0 flex-1 basis-60 wrap-anywhere text-muted-foreground">
          {counting ? copy[counting] : copy.chosen(summary.words, summary.preview?.chosen)}
        </span>
      </CollapsibleTrigger>
      <CollapsibleContent className="flex flex-col gap-4 border-t p-4">
        <input type="hidden" name="zone" value={values.zone} />
        <div className="grid items-start gap-x-4 gap-y-3 sm:grid-cols-2 md:grid-cols-3">
          <ChoiceField
            {...field("role")}
            label={peopleMessages.role}
            any={peopleMessages.any}
            choices={Object.fromEntries(
              CHOICES["early-access"].map((choice) => [choice, capitalize(choice)]),
            )}
          />
          <TextField {...text("company")} label={peopleMessages.companyContains} />
          <TextField {...text("domain")} label={peopleMessages.domain} />
          <TextField {...text("source")} label={submissionMessages.source} />
          <ChoiceField {...field("campaign")} label={copy.campaign} any={copy.anyCampaign} choices={titles} />
          <ChoiceField
            {...field("got")}
            label={copy.got}
            any={copy.receipts.sent}
            choices={copy.otherReceipts}
          />
          <DayField name="from" values={values} errors={errors} />
          <DayField name="to" values={values} errors={errors} />
          <ChoiceField
            {...field("confirmed")}
            label={peopleMessages.confirmed}
            any={peopleMessages.any}
            choices={peopleMessages.confirmedStates}
          />
          {hasWaves || values.invitation !== "" ? (
            <ChoiceField
              {...field("invitation")}
              label={copy.invitation}
              any={copy.anyInvitation}
              choices={copy.invitations}
            />
          ) : null}
        </div>
        {values.zone ? <p className="text-xs text-muted-foreground">{copy.zone(values.zone)}</p> : null}
        <div className="grid items-start gap-x-4 gap-y-3 border-t pt-4 sm:grid-cols-3">
          <ChoiceField
            {...field("pick")}
            label={copy.pick}
            any={copy.orders.oldest}
            choices={copy.otherOrders}
          />
          <TextField {...text("limit")} label={copy.limit} placeholder={copy.all} inputMode="numeric" />
          <TextField
            {...text("perDomain")}
            label={copy.perDomain}
            placeholder={copy.all}
            inputMode="numeric"
          />
        </div>
        {summary.preview && !isPreviewed ? <FirstFive preview={summary.preview} /> : null}
      </CollapsibleContent>
    </Collapsible>
  );
}

/** Shows the first of those who are chosen, and who is not among them. */
function FirstFive({ preview }: { preview: NonNullable<AudienceSummary["preview"]> }) {
  const { chosen, total, mailable, firstFive } = preview;
  const id = useId();
  return (
    <div className="flex flex-col gap-1 border-t pt-3 text-xs text-muted-foreground">
      <p id={id}>{firstFive.length === 0 ? copy.nobody : copy.firstFive}</p>
      <ul aria-labelledby={id} className="flex flex-wrap gap-x-3 gap-y-1 font-mono text-foreground">
        {firstFive.map((address) => (
          <li key={address} className="wrap-anywhere">
            {address}
          </li>
        ))}
      </ul>
      {mailable > chosen ? <p>{copy.beyondLimit(mailable - chosen)}</p> : null}
      {total > mailable ? <p>{copy.leftOut(total - mailable)}</p> : null}
    </div>
  );
}
