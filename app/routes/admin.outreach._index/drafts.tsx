import { Form, Link } from "@remix-run/react";
import { Timestamp } from "~/components/timestamp";
import { IntentButton } from "~/components/ui/button";
import { Card, CardDescription, CardHeader, CardTitle } from "~/components/ui/card";
import { operatorMessages } from "~/content/operator-messages";
import { outreachMessages } from "~/content/outreach";
import { linkTo } from "~/http/list-state";
import { paths } from "~/paths";
import type { Draft } from "~/services/outreach/campaign-stats.server";

const copy = operatorMessages.sends;

/** Lists the unsent drafts; each links to the form. */
export function Drafts({ drafts, keptDays, now }: { drafts: Draft[]; keptDays: number; now: number }) {
  return (
    <Card>
      <CardHeader>
        <CardTitle>{copy.drafts}</CardTitle>
        <CardDescription>{copy.keptFor(keptDays)}</CardDescription>
      </CardHeader>
      <ul className="mt-3 divide-y border-t">
        {drafts.map(({ id, title, audience, created_by, touched_at, touched_by }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-0.5 px-4 py-2">
            <Link
              to={linkTo(paths.outreach, { draft: id })}
              className="max-w-full min-w-0 truncate font-medium underline-offset-4 hover:underline"
            >
              <bdi>{title || copy.noTitle}</bdi>
            </Link>
            <span className="text-muted-foreground">{audience}</span>
            <span className="text-xs text-muted-foreground sm:ml-auto">
              <bdi>{copy.savedBy(touched_by || created_by)}</bdi>, <Timestamp at={touched_at} now={now} />
            </span>
            <Form method="post" action={paths.campaigns} className="max-sm:ml-auto">
              <input type="hidden" name="draft" value={id} />
              <IntentButton
                intent="discard"
                variant="quiet"
                aria-label={outreachMessages.discardWhat(title || copy.noTitle)}
              >
                {outreachMessages.discard}
              </IntentButton>
            </Form>
          </li>
        ))}
      </ul>
    </Card>
  );
}
