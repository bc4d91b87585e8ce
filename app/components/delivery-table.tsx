import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { CsvDownloadForm } from "~/components/csv-download-form";
import { DataTable, type Column } from "~/components/data-table";
import { Timestamp } from "~/components/timestamp";

interface Delivery {
  readonly id: string;
  readonly attempts: number;
  /** Epoch milliseconds. */
  readonly updated_at: number;
}

interface DeliveryTableProps<Row> {
  caption: string;
  names: { subject: string; state: string; detail: string; attempts: string; updated: string };
  rows: readonly Row[];
  /** The recipient's address or device, in the type for those. */
  subject: (row: Row) => ReactNode;
  state: (row: Row) => ReactNode;
  detail: (row: Row) => ReactNode;
  now: number;
  empty: string;
  download: { action: string; name: string };
  more: { to: string; name: string } | undefined;
}

/** Lists the deliveries of a campaign or a notification: the recipient and the state of each. */
export function DeliveryTable<Row extends Delivery>(props: DeliveryTableProps<Row>) {
  const { caption, names, rows, subject, state, detail, now, empty, download, more } = props;
  const columns: Column<Row>[] = [
    {
      name: names.subject,
      cell: (row) => <div className="font-mono text-xs leading-5">{subject(row)}</div>,
    },
    { name: names.state, width: "sm:w-26", card: "caption", cell: state },
    { name: names.detail, width: "sm:w-[26%] md:w-[36%]", className: "text-muted-foreground", cell: detail },
    {
      name: names.attempts,
      width: "sm:w-21",
      className: "tabular-nums max-sm:hidden",
      cell: ({ attempts }) => attempts,
    },
    {
      name: names.updated,
      width: "sm:w-28 md:w-32",
      className: "text-muted-foreground",
      card: "caption",
      cell: ({ updated_at }) => <Timestamp at={updated_at} now={now} />,
    },
  ];
  return (
    <DataTable
      caption={caption}
      columns={columns}
      rows={rows}
      empty={<p className="text-muted-foreground">{empty}</p>}
      footer={
        <>
          <CsvDownloadForm action={download.action} name={download.name} />
          {more ? (
            <Link to={more.to} className="underline underline-offset-2">
              {more.name}
            </Link>
          ) : null}
        </>
      }
    />
  );
}
