import { Link } from "@remix-run/react";
import { cn } from "~/lib/class-names";
import { operatorMessages } from "~/operator-messages";
import { QUARANTINE_REASONS } from "~/services/signups/quarantine-reasons";
import { SUBMISSION_KINDS } from "~/services/signups/submission-kinds";
import { quarantineAt, type Filter } from "./address";
import type { QuarantineView } from "./quarantine-view.server";

const copy = operatorMessages.quarantine;

/** By form and by reason; each says how many there are beside what the other is set to. */
export function Filters({ filter, counts }: { filter: Filter; counts: QuarantineView["counts"] }) {
  const countOf = ({ kind, reason }: Filter) => totalOf(counts, { kind, reason });
  return (
    <div className="flex flex-col gap-x-8 gap-y-3 xl:flex-row">
      <Choice label={copy.filterByForm}>
        <Option filter={{ ...filter, kind: undefined }} current={!filter.kind} countOf={countOf}>
          {copy.any}
        </Option>
        {SUBMISSION_KINDS.map((kind) => (
          <Option key={kind} filter={{ ...filter, kind }} current={filter.kind === kind} countOf={countOf}>
            {copy.forms[kind]}
          </Option>
        ))}
      </Choice>
      <Choice label={copy.filterByReason}>
        <Option filter={{ ...filter, reason: undefined }} current={!filter.reason} countOf={countOf}>
          {copy.any}
        </Option>
        {QUARANTINE_REASONS.map((reason) => (
          <Option
            key={reason}
            filter={{ ...filter, reason }}
            current={filter.reason === reason}
            countOf={countOf}
          >
            {copy.reasons[reason].filter}
          </Option>
        ))}
      </Choice>
    </div>
  );
}

/** How many match. */
export function totalOf(counts: QuarantineView["counts"], { kind, reason }: Filter): number {
  return counts.reduce(
    (sum, row) =>
      (kind ?? row.kind) === row.kind && (reason ?? row.reason) === row.reason ? sum + row.count : sum,
    0,
  );
}

function Choice({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <nav aria-label={label} className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <span aria-hidden className="text-xs text-muted-foreground max-sm:w-full sm:w-32 xl:w-auto">
        {label}
      </span>
      <ul className="flex flex-wrap gap-1">{children}</ul>
    </nav>
  );
}

type OptionProps = {
  filter: Filter;
  current: boolean;
  countOf: (filter: Filter) => number;
  children: string;
};

function Option({ filter, current, countOf, children }: OptionProps) {
  return (
    <li>
      <Link
        to={quarantineAt(filter)}
        preventScrollReset
        aria-current={current ? "true" : undefined}
        className={cn(
          "inline-flex h-8 items-center gap-2 rounded-md border px-2.5 text-xs transition-colors pointer-coarse:h-11",
          current
            ? "border-primary/40 bg-primary-surface font-medium text-primary"
            : "border-transparent text-muted-foreground hover:bg-muted hover:text-foreground",
        )}
      >
        {children}
        <span className="tabular-nums">{countOf(filter).toLocaleString("en")}</span>
      </Link>
    </li>
  );
}
