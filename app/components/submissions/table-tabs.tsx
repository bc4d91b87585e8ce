import { NavLink, useParams, useSearchParams } from "@remix-run/react";
import { Tabs, TabsList, TabsTrigger } from "~/components/ui/tabs";
import { submissionMessages as copy } from "~/content/submissions";
import { toListSearch } from "~/http/list-detail";
import { linkTo } from "~/http/list-state";
import { SUBMISSION_KINDS, type SubmissionKind } from "~/lib/form-fields";
import { grouped } from "~/lib/format-number";
import { paths } from "~/paths";

interface TableTabsProps {
  /** Submissions of each form. */
  counts: Readonly<Record<SubmissionKind, number>>;
  /** Signups that the owners of their addresses have not confirmed. */
  unconfirmed: number;
}

/**
 * Links to the three tables, each with its count, and to the unconfirmed signups when there are any. The selected days
 * stay: a day of a chart is looked at in all three, and so is what is new.
 */
export function TableTabs({ counts, unconfirmed }: TableTabsProps) {
  const [search] = useSearchParams();
  const own = toListSearch(search, useParams());
  const days = Object.fromEntries(["from", "to", "since"].map((field) => [field, own.get(field) ?? ""]));
  const tables = SUBMISSION_KINDS.map((kind) => ({
    to: linkTo(paths.submissionTable(kind), days),
    name: copy.forms[kind] as string,
    count: counts[kind],
  }));
  if (unconfirmed > 0) {
    tables.push({ to: paths.submissionsUnconfirmed, name: copy.unconfirmed, count: unconfirmed });
  }
  return (
    <Tabs aria-label={copy.title}>
      <TabsList>
        {tables.map(({ to, name, count }) => (
          <TabsTrigger key={to} asChild>
            <NavLink to={to}>
              {name}
              <span className="text-xs tabular-nums">{grouped(count)}</span>
            </NavLink>
          </TabsTrigger>
        ))}
      </TabsList>
    </Tabs>
  );
}
