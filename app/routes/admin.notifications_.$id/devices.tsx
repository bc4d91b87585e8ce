import { LedgerTable } from "~/components/ledger-table";
import { Badge } from "~/components/ui/badge";
import type { BadgeProps } from "~/components/ui/badge";
import { operatorMessages } from "~/operator-messages";
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
  const more = new URLSearchParams({ ...(state && { state }), after: next ?? "" });
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
        action: `${paths.broadcastExport(id)}${state ? `?state=${state}` : ""}`,
        name: copy.download,
      }}
      more={next ? { to: `${paths.broadcast(id)}?${more}`, name: copy.more } : undefined}
    />
  );
}
