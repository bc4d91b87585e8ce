import { Timestamp } from "~/components/timestamp";
import { Card, CardContent, CardDescription, CardTitle } from "~/components/ui/card";
import { resourceMessages } from "~/content/resources";
import type { Neighbour } from "~/services/resources/history.server";

const { neighbours: copy, history, units } = resourceMessages;

type NeighboursProps = { neighbours: readonly Neighbour[]; now: number };

/** Lists the other instances on the same database, if there are any. */
export function Neighbours({ neighbours, now }: NeighboursProps) {
  if (neighbours.length === 0) return null;
  return (
    <Card>
      <CardContent className="flex flex-col gap-3">
        <div className="flex flex-col gap-1">
          <CardTitle>{copy.title}</CardTitle>
          <CardDescription>{copy.description}</CardDescription>
        </div>
        <ul aria-label={copy.title} className="divide-y">
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
