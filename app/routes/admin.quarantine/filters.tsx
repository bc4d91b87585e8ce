import { Link } from "@remix-run/react";
import { ButtonLink } from "~/components/ui/button";
import { quarantineMessages as copy } from "~/content/quarantine";
import { linkTo } from "~/http/list-state";
import { paths } from "~/paths";
import { QUARANTINE_REASONS, SUBMISSION_KINDS } from "~/services/signups/typed-columns";
import { ACTIONS, type QuarantineValues } from "./address";
import type { QuarantineView } from "./route";

const ANY = ["", copy.any] as const;

/** Filters by form and by reason; each choice has its count under the other filter. */
export function Filters({ view }: { view: QuarantineView }) {
  const forms = SUBMISSION_KINDS.map((kind) => [kind, copy.forms[kind]] as const);
  const reasons = QUARANTINE_REASONS.map((reason) => [reason, copy.reasons[reason].filter] as const);
  return (
    <div className="flex flex-col gap-x-8 gap-y-3 xl:flex-row">
      <Choice view={view} label={copy.filterByForm} field="form" choices={forms} />
      <Choice view={view} label={copy.filterByReason} field="reason" choices={reasons} />
    </div>
  );
}

/** Counts the submissions that match. */
export function countMatching(
  counts: QuarantineView["counts"],
  { form, reason }: Partial<QuarantineValues>,
): number {
  return counts
    .filter((row) => (form || row.kind) === row.kind && (reason || row.reason) === row.reason)
    .reduce((sum, row) => sum + row.count, 0);
}

interface ChoiceProps {
  view: QuarantineView;
  label: string;
  field: keyof QuarantineValues;
  choices: readonly (readonly [value: string, name: string])[];
}

function Choice({ view: { values, counts }, label, field, choices }: ChoiceProps) {
  return (
    <nav aria-label={label} className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <span aria-hidden className="text-xs text-muted-foreground max-sm:w-full sm:w-32 xl:w-auto">
        {label}
      </span>
      <ul className="flex flex-wrap gap-1">
        {[ANY, ...choices].map(([value, name]) => (
          <li key={value}>
            <Link
              to={linkTo(paths.quarantine, { ...values, [field]: value })}
              preventScrollReset
              aria-current={values[field] === value ? "true" : undefined}
              className="choice-link"
            >
              {name}
              <span className="tabular-nums">
                {countMatching(counts, { ...values, [field]: value }).toLocaleString("en")}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Actions on all that match up to the newest, on every page: both ask first. */
export function BulkActions({ view: { values, newest }, total }: { view: QuarantineView; total: number }) {
  if (!newest) return null;
  const label = copy.allThatMatch(total);
  return (
    <div role="group" aria-label={label} className="flex items-center gap-2">
      <span aria-hidden className="text-xs text-muted-foreground tabular-nums">
        {label}
      </span>
      {ACTIONS.map((step) => (
        <ButtonLink
          key={step}
          to={linkTo(paths.quarantine, { ...values, through: newest.id, step })}
          preventScrollReset
          aria-label={copy.ask[step](total)}
          variant={step === "purge" ? "danger" : "secondary"}
        >
          {copy[step]}
        </ButtonLink>
      ))}
    </div>
  );
}
