import { Link } from "@remix-run/react";
import { DeliveryTable } from "~/components/delivery-table";
import { Badge, type BadgeProps } from "~/components/ui/badge";
import { Card, CardContent, CardHeader } from "~/components/ui/card";
import { notificationMessages } from "~/content/notifications";
import { linkTo } from "~/http/list-state";
import { grouped } from "~/lib/format-number";
import { paths } from "~/paths";
import type { ListedState } from "./push-states";
import type { BroadcastView } from "./route";

const copy = notificationMessages.page;

const VARIANTS: Record<ListedState, BadgeProps["variant"]> = {
  pending: "neutral",
  claimed: "info",
  retrying: "warning",
  accepted: "success",
  failed: "danger",
  gone: "danger",
  skipped: "neutral",
};

/** Lists the devices of a broadcast with the state of each. */
export function Devices({ view: { page, broadcast, state, rows, older, now } }: { view: BroadcastView }) {
  return (
    <DeliveryTable
      caption={copy.tableCaption}
      recipient={copy.device}
      rows={rows}
      subject={(row) => (
        <span title={row.device_id}>
          {row.service}{" "}
          <span className="whitespace-nowrap text-muted-foreground">…{row.device_id.slice(-8)}</span>
        </span>
      )}
      state={(row) => <Badge variant={VARIANTS[row.state]}>{copy.rowStates[row.state]}</Badge>}
      detail={(row) => row.detail}
      now={now}
      empty={copy.noRows}
      download={linkTo(paths.broadcastExport(broadcast.id), { state })}
      more={older === undefined ? undefined : { to: linkTo(page, { state, after: older }), name: copy.more }}
    />
  );
}

/** Lists the causes of failure with their counts; each links to the devices in that state. */
export function FailureCauses({ view: { page, causes } }: { view: BroadcastView }) {
  if (causes.length === 0) return null;
  return (
    <Card>
      <CardHeader title={copy.causes} />
      <CardContent>
        <ul className="flex flex-col gap-1.5">
          {causes.map(({ detail, state, count }) => (
            <li key={`${state} ${detail}`} className="grid grid-cols-[4rem_minmax(0,1fr)] gap-x-3">
              <Link
                to={`${page}?state=${state}`}
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
