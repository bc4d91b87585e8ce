import { Form } from "@remix-run/react";
import { Timestamp } from "~/components/timestamp";
import { IntentButton } from "~/components/ui/button";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";
import { HiddenFields } from "~/components/hidden-fields";
import type { SubmissionsView } from "./submissions.server";

const copy = operatorMessages.submissions;

/** Lists recent deletions that can be undone, by any operator; renders nothing when there are none. */
export function RecentDeletions({ view }: { view: SubmissionsView }) {
  const { recent, now } = view;
  if (recent.length === 0) return null;
  return (
    <section aria-label={copy.recentTitle} className="rounded-lg border bg-surface px-4 py-3">
      <h2 className="text-xs font-medium text-muted-foreground">{copy.recentTitle}</h2>
      <ul className="mt-1 divide-y">
        {recent.map(({ id, count, deleted_by, deleted_at }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 py-1.5">
            <p id={`deletion-${id}`} className="min-w-0 wrap-anywhere">
              {copy.recent(count, deleted_by)},{" "}
              <Timestamp at={deleted_at} now={now} className="text-muted-foreground" />
            </p>
            <Undo view={view} deletion={id} describedBy={`deletion-${id}`} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Undoes a deletion. Loses nothing, so it needs no confirmation. */
export function Undo({
  view,
  deletion,
  describedBy,
}: {
  view: SubmissionsView;
  deletion: string;
  /** Id of the element that describes the deletion. */
  describedBy?: string;
}) {
  const { kind, values, after } = view;
  return (
    <Form method="post" action={paths.submissionsOf(kind)}>
      <HiddenFields values={{ ...values, after }} />
      <input type="hidden" name="deletion" value={deletion} />
      <IntentButton intent="undo" aria-describedby={describedBy}>
        {copy.undo}
      </IntentButton>
    </Form>
  );
}
