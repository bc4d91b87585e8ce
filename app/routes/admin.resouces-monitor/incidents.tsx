import { Timestamp } from "~/components/timestamp";
import { Badge } from "~/components/ui/badge";
import { Card, CardContent, CardTitle } from "~/components/ui/card";
import { resourceMessages } from "~/content/resources";
import { capitalize } from "~/lib/capitalize";
import type { Incident } from "~/services/resources/incidents.server";

const copy = resourceMessages.incidents;

type IncidentListProps = { incidents: readonly Incident[]; now: number };

/** Lists times of resource shortage on any server: lines on wide screens, cards on narrow ones. */
export function IncidentList({ incidents, now }: IncidentListProps) {
  return (
    <Card>
      <CardContent className="flex flex-col gap-3">
        <CardTitle>{copy.title}</CardTitle>
        {incidents.length === 0 ? (
          <p className="max-w-[68ch] text-sm text-muted-foreground">{copy.empty}</p>
        ) : (
          <ul aria-label={copy.title} className="divide-y">
            {incidents.map(({ id, kind, peak, instance, began_at, ended_at }) => (
              <li
                key={id}
                className="flex flex-wrap items-baseline gap-x-4 gap-y-1 py-2 text-sm md:grid md:grid-cols-[minmax(0,1fr)_minmax(0,12rem)_11rem_11rem]"
              >
                <span className="w-full">{capitalize(copy.subject({ kind, peak }))}</span>
                <code className="font-mono text-xs wrap-anywhere text-muted-foreground">{instance}</code>
                <span className="text-xs text-muted-foreground">
                  {copy.began} <Timestamp at={began_at} now={now} />
                </span>
                {ended_at === null ? (
                  <span>
                    <Badge variant="warning">{copy.lasts}</Badge>
                  </span>
                ) : (
                  <span className="text-xs text-muted-foreground">
                    {copy.ended} <Timestamp at={ended_at} now={now} />
                  </span>
                )}
              </li>
            ))}
          </ul>
        )}
      </CardContent>
    </Card>
  );
}
