import { Link } from "@remix-run/react";
import { Card, CardContent, CardHeader, CardTitle } from "~/components/ui/card";
import { grouped } from "~/lib/format-number";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";
import type { FailureCause } from "~/services/broadcast/broadcast-stats.server";

const copy = operatorMessages.notifications.page;

/** Why devices were not reached, each cause with how many; they lead to the devices in that state. */
export function FailureCauses({ id, causes }: { id: string; causes: readonly FailureCause[] }) {
  if (causes.length === 0) return null;
  return (
    <Card>
      <CardHeader>
        <CardTitle>{copy.causes}</CardTitle>
      </CardHeader>
      <CardContent>
        <ul className="flex flex-col gap-1.5">
          {causes.map(({ detail, state, count }) => (
            <li key={`${state} ${detail}`} className="grid grid-cols-[4rem_minmax(0,1fr)] gap-x-3">
              <Link
                to={`${paths.broadcast(id)}?state=${state}`}
                className="text-right tabular-nums underline underline-offset-4"
              >
                {grouped(count)}
              </Link>
              <bdi className="wrap-anywhere">{detail || copy.rowStates[state]}</bdi>
            </li>
          ))}
        </ul>
      </CardContent>
    </Card>
  );
}
