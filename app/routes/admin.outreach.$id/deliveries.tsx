import { DeliveryStateBadge } from "~/components/delivery-state-badge";
import { LedgerTable } from "~/components/ledger-table";
import { PersonLink } from "~/components/person-link";
import { operatorMessages } from "~/operator-messages";
import { skipReason } from "~/operator-messages/outreach";
import { paths } from "~/paths";
import type { Returned } from "~/services/outreach/returned.server";
import type { ListedState } from "./delivery-states";

const copy = operatorMessages.outreachBooks;

interface Row {
  id: string;
  address: string;
  state: ListedState;
  detail: string;
  attempts: number;
  returned?: Returned | undefined;
  /** A submission of theirs. */
  person: string | undefined;
}

interface DeliveriesProps {
  sendId: string;
  state: ListedState | undefined;
  rows: Row[];
  /** The last id shown, when there are more. */
  next: string | undefined;
}

/** Who the mail goes to, and what became of it. */
export function Deliveries({ sendId, state, rows, next }: DeliveriesProps) {
  const more = new URLSearchParams({ ...(state && { state }), after: next ?? "" });
  return (
    <LedgerTable
      caption={copy.tableCaption}
      columns={{ subject: copy.address, state: copy.state, detail: copy.detail, attempts: copy.attempts }}
      rows={rows.map((row) => ({
        ...{ id: row.id, attempts: row.attempts },
        subject: <PersonLink id={row.person}>{row.address}</PersonLink>,
        state: <DeliveryStateBadge state={row.state} />,
        detail: <Detail row={row} />,
      }))}
      empty={copy.noRows}
      download={{
        action: `${paths.outreachExport(sendId)}${state ? `?state=${state}` : ""}`,
        name: copy.download,
      }}
      more={next ? { to: `${paths.outreachSend(sendId)}?${more}`, name: copy.more } : undefined}
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
