import { DeliveryStateBadge } from "~/components/delivery-state-badge";
import { LedgerTable } from "~/components/ledger-table";
import { PersonLink } from "~/components/person-link";
import { operatorMessages } from "~/content/operator-messages";
import { skipReason } from "~/content/outreach";
import { paths } from "~/paths";
import type { Returned } from "~/services/outreach/campaign-stats.server";
import { linkTo } from "~/http/list-state";
import type { DeliveryValues } from "./delivery-filter";
import type { ListedState } from "./delivery-states";

const copy = operatorMessages.outreachBooks;

interface Row {
  id: string;
  address: string;
  state: ListedState;
  detail: string;
  attempts: number;
  returned?: Returned | undefined;
  updated_at: number;
  /** A submission of theirs. */
  person: string | undefined;
}

interface DeliveriesProps {
  campaignId: string;
  values: DeliveryValues;
  rows: Row[];
  /** The last id shown, when there are more. */
  next: string | undefined;
  now: number;
}

/** Who the mail goes to, and what became of it. */
export function Deliveries({ campaignId, values, rows, next, now }: DeliveriesProps) {
  return (
    <LedgerTable
      caption={copy.tableCaption}
      columns={{
        subject: copy.address,
        state: copy.state,
        detail: copy.detail,
        attempts: copy.attempts,
        updated: copy.updated,
      }}
      now={now}
      rows={rows.map((row) => ({
        id: row.id,
        attempts: row.attempts,
        updatedAt: row.updated_at,
        subject: <PersonLink id={row.person}>{row.address}</PersonLink>,
        state: <DeliveryStateBadge state={row.state} />,
        detail: <Detail row={row} />,
      }))}
      empty={copy.noRows}
      download={{
        action: linkTo(paths.outreachExport(campaignId), values),
        name: copy.download,
      }}
      more={
        next
          ? { to: linkTo(paths.outreachCampaign(campaignId), { ...values, after: next }), name: copy.more }
          : undefined
      }
    />
  );
}

function Detail({ row }: { row: Row }) {
  return (
    <>
      {row.state === "skipped" ? skipReason(row.detail) : row.detail}
      {row.returned ? <bdi className="block text-warning">{copy.returnedLater(row.returned)}</bdi> : null}
    </>
  );
}
