import { NavLink } from "@remix-run/react";
import { cn } from "~/lib/class-names";
import { operatorMessages } from "~/operator-messages";
import { paths } from "~/paths";
import { SUBMISSION_KINDS } from "~/services/signups/submission-kinds";
import type { SubmissionsView } from "./submissions-view.server";

const copy = operatorMessages.submissions;

/** The three tables, each with how much is in it. */
export function Kinds({ counts }: { counts: SubmissionsView["counts"] }) {
  return (
    <nav aria-label={copy.title} className="border-b">
      <ul className="-mb-px flex flex-wrap gap-x-6">
        {SUBMISSION_KINDS.map((kind) => (
          <li key={kind}>
            <NavLink
              to={paths.submissionsOf(kind)}
              className={({ isActive }) =>
                cn(
                  "flex h-10 items-center gap-2 border-b-2 text-sm transition-colors pointer-coarse:h-11",
                  isActive
                    ? "border-primary font-medium text-primary"
                    : "border-transparent text-muted-foreground hover:text-foreground",
                )
              }
            >
              {copy.forms[kind]}
              <span className="text-xs tabular-nums">{counts[kind].toLocaleString("en")}</span>
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
