import { NavLink, useSearchParams } from "@remix-run/react";
import { submissionMessages as copy } from "~/content/submissions";
import { linkTo } from "~/http/list-state";
import { grouped } from "~/lib/format-number";
import { paths } from "~/paths";
import { SUBMISSION_KINDS } from "~/services/signups/typed-columns";
import type { SubmissionsView } from "./submissions.server";

/**
 * Links to the three tables, each with its count, and to the unconfirmed signups when there are any. The selected days
 * stay: a day of a chart is looked at in all three.
 */
export function Kinds({ counts, unconfirmed }: { counts: SubmissionsView["counts"]; unconfirmed: number }) {
  const [search] = useSearchParams();
  const days = { from: search.get("from") ?? "", to: search.get("to") ?? "" };
  const tables = SUBMISSION_KINDS.map((kind) => ({
    to: linkTo(paths.submissionTable(kind), days),
    name: copy.forms[kind] as string,
    count: counts[kind],
  }));
  if (unconfirmed > 0) {
    tables.push({ to: paths.submissionsUnconfirmed, name: copy.unconfirmed, count: unconfirmed });
  }
  return (
    <nav aria-label={copy.title} className="border-b">
      <ul className="-mb-px flex flex-wrap gap-x-6">
        {tables.map(({ to, name, count }) => (
          <li key={to}>
            <NavLink to={to} className="tab">
              {name}
              <span className="text-xs tabular-nums">{grouped(count)}</span>
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
