import { LedgerTable } from "~/components/ledger-table";
import { Badge } from "~/components/ui/badge";
import type { BadgeProps } from "~/components/ui/badge";
import { operatorMessages } from "~/content/operator-messages";
import { linkTo } from "~/http/list-state";
import { paths } from "~/paths";
import type { ListedState } from "./push-states";

const copy = operatorMessages.notifications.page;

const VARIANTS: Record<ListedState, BadgeProps["variant"]> = {
  pending: "neutral",
  claimed: "info",
  retrying: "warning",
  accepted: "success",
  failed: "danger",
  gone: "danger",
  skipped: "neutral",
};

interface DevicesProps {
  id: string;
  state: ListedState | undefined;
  rows: readonly {
    device_id: string;
    service: string;
    state: ListedState;
    detail: string;
    attempts: number;
    updated_at: number;
  }[];
  /** The last device shown, when there are more. */
  next: string | undefined;
  now: number;
}

/** Each device it goes to, and what became of it. */
export function Devices({ id, state, rows, next, now }: DevicesProps) {
  const { device, ...columns } = copy.columns;
  return (
    <LedgerTable
      caption={copy.tableCaption}
      columns={{ subject: device, ...columns }}
      rows={rows.map((row) => ({
        id: row.device_id,
        attempts: row.attempts,
        detail: row.detail,
        updatedAt: row.updated_at,
        subject: (
          <span title={row.device_id}>
            {row.service}{" "}
            <span className="whitespace-nowrap text-muted-foreground">…{row.device_id.slice(-8)}</span>
          </span>
        ),
        state: <Badge variant={VARIANTS[row.state]}>{copy.rowStates[row.state]}</Badge>,
      }))}
      now={now}
      empty={copy.noRows}
      download={{
        action: linkTo(paths.broadcastExport(id), { state }),
        name: copy.download,
      }}
      more={next ? { to: linkTo(paths.broadcast(id), { state, after: next }), name: copy.more } : undefined}
    />
  );
}
