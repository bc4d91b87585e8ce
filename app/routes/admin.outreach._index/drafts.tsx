import { Link } from "@remix-run/react";
import { Timestamp } from "~/components/timestamp";
import { Card, CardDescription, CardHeader, CardTitle } from "~/components/ui/card";
import { operatorMessages } from "~/operator-messages";
import { paths } from "~/paths";
import type { Draft } from "~/services/outreach/book.server";

const copy = operatorMessages.sends;

/** What was written and not sent yet; each leads to where it goes on. */
export function Drafts({ drafts, keptDays, now }: { drafts: Draft[]; keptDays: number; now: number }) {
  return (
    <Card>
      <CardHeader>
        <CardTitle>{copy.drafts}</CardTitle>
        <CardDescription>{copy.keptFor(keptDays)}</CardDescription>
      </CardHeader>
      <ul className="mt-3 divide-y border-t">
        {drafts.map(({ id, title, audience, created_by, touched_at }) => (
          <li key={id} className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 px-4 py-2">
            <Link
              to={`${paths.dashboard}?${new URLSearchParams({ draft: id })}#outreach`}
              className="max-w-full min-w-0 truncate font-medium underline-offset-4 hover:underline"
            >
              <bdi>{title || copy.noTitle}</bdi>
            </Link>
            <span className="text-muted-foreground">{audience}</span>
            <span className="text-xs text-muted-foreground sm:ml-auto">
              <bdi>{copy.savedBy(created_by)}</bdi>, <Timestamp at={touched_at} now={now} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
