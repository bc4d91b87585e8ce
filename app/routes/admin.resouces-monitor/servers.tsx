import { Timestamp } from "~/components/timestamp";
import { Badge } from "~/components/ui/badge";
import { Card, CardContent, CardTitle, CardDescription } from "~/components/ui/card";
import { resourceMessages } from "~/content/resources";
import { capitalize } from "~/lib/capitalize";
import type { Neighbour } from "~/services/resources/history.server";
import type { Incident } from "~/services/resources/incidents.server";

const { incidents: incidentCopy, neighbours: neighbourCopy, history, units } = resourceMessages;

/** Lists times of resource shortage on any server: lines on wide screens, cards on narrow ones. */
export function IncidentList({ incidents, now }: { incidents: readonly Incident[]; now: number }) {
  return (
    <Card>
      <CardContent className="flex flex-col gap-3">
        <CardTitle>{incidentCopy.title}</CardTitle>
        {incidents.length === 0 ? (
          <p className="max-w-[42.9em] text-sm text-muted-foreground">{incidentCopy.empty}</p>
        ) : (
          <ul aria-label={incidentCopy.title} className="divide-y">
            {incidents.map(({ id, kind, peak, instance, began_at, ended_at }) => (
              <li
                key={id}
                className="flex flex-wrap items-baseline gap-x-4 gap-y-1 py-2 text-sm md:grid md:grid-cols-[minmax(0,1fr)_minmax(0,12rem)_11rem_11rem]"
              >
                <span className="w-full">{capitalize(incidentCopy.subject({ kind, peak }))}</span>
                <code className="font-mono text-xs wrap-anywhere text-muted-foreground">{instance}</code>
                <span className="text-xs text-muted-foreground">
                  {incidentCopy.began} <Timestamp at={began_at} now={now} />
                </span>
                {ended_at === null ? (
                  <span>
                    <Badge variant="warning">{incidentCopy.lasts}</Badge>
                  </span>
                ) : (
                  <span className="text-xs text-muted-foreground">
                    {incidentCopy.ended} <Timestamp at={ended_at} now={now} />
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

/** Lists the other instances on the same database, if there are any. */
export function Neighbours({ neighbours, now }: { neighbours: readonly Neighbour[]; now: number }) {
  if (neighbours.length === 0) return null;
  return (
    <Card>
      <CardContent className="flex flex-col gap-3">
        <div className="flex flex-col gap-1">
          <CardTitle>{neighbourCopy.title}</CardTitle>
          <CardDescription>{neighbourCopy.description}</CardDescription>
        </div>
        <ul aria-label={neighbourCopy.title} className="divide-y">
          {neighbours.map(({ instance, at, ...usage }) => (
            <li
              key={instance}
              className="flex flex-wrap items-baseline gap-x-5 gap-y-1 py-2 text-sm tabular-nums"
            >
              <code className="mr-auto font-mono text-xs wrap-anywhere">{instance}</code>
              {(["cpu", "memory", "disk"] as const).map((name) => (
                <span key={name}>
                  <span className="text-muted-foreground">{history.names[name]}</span>{" "}
                  {units.percent(usage[name])}
                </span>
              ))}
              <Timestamp at={at} now={now} className="text-xs text-muted-foreground" />
            </li>
          ))}
        </ul>
      </CardContent>
    </Card>
  );
}
