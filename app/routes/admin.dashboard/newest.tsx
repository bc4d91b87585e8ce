import { NewMark } from "~/components/submissions/new-mark";
import { ListLink } from "~/components/text-link";
import { Timestamp } from "~/components/timestamp";
import { Card, CardContent, CardHeader, CardTitle } from "~/components/ui/card";
import { submissionMessages, chartMessages as copy } from "~/content/submissions";
import { paths } from "~/paths";
import type { SubmissionsView } from "./submissions.server";

/** The newest names of all forms, beside the chart. */
export function Newest({ newest, now }: { newest: SubmissionsView["newest"]; now: number }) {
  return (
    <Card className="flex flex-col">
      <CardHeader className="pb-3">
        <CardTitle>{copy.newestTitle}</CardTitle>
      </CardHeader>
      {newest.length === 0 ? (
        <CardContent className="pt-0 text-muted-foreground">{copy.newestEmpty}</CardContent>
      ) : (
        <ol aria-label={copy.newestTitle} className="flex flex-col divide-y border-t">
          {newest.map(({ id, kind, name, isNew, createdAt }) => (
            <li
              key={id}
              data-row
              className="flex min-h-8 flex-wrap items-center gap-x-2 px-4 py-1 max-sm:py-2"
            >
              <ListLink to={paths.person(id)} className="min-w-0 font-medium">
                <bdi title={name} className="block truncate">
                  {name}
                </bdi>
              </ListLink>
              {isNew ? <NewMark /> : null}
              <p className="ml-auto flex shrink-0 gap-x-2 text-xs text-muted-foreground max-sm:basis-full">
                {submissionMessages.forms[kind]}
                <Timestamp at={createdAt} now={now} className="text-right max-sm:ml-auto sm:w-26" />
              </p>
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}
