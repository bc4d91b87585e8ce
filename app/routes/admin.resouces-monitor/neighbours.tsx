import { Timestamp } from "~/components/timestamp";
import { Card, CardContent, CardDescription, CardTitle } from "~/components/ui/card";
import { operatorMessages } from "~/content/operator-messages";
import type { Neighbour } from "~/services/resources/history.server";

const { percent } = operatorMessages.resources.units;
const { names } = operatorMessages.resources.history;
const copy = operatorMessages.resources.neighbours;

type NeighboursProps = { neighbours: readonly Neighbour[]; now: number };

/** The other instances on the same database, if there are any. */
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
          {neighbours.map(({ instance, at, cpu, memory, disk }) => (
            <li
              key={instance}
              className="flex flex-wrap items-baseline gap-x-5 gap-y-1 py-2 text-sm tabular-nums"
            >
              <code className="mr-auto font-mono text-xs wrap-anywhere">{instance}</code>
              {(
                [
                  ["cpu", cpu],
                  ["memory", memory],
                  ["disk", disk],
                ] as const
              ).map(([name, value]) => (
                <span key={name}>
                  <span className="text-muted-foreground">{names[name]}</span> {percent(value)}
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
