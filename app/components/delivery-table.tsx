import type { ReactNode } from "react";
import { CsvDownloadForm } from "~/components/csv-download-form";
import { DataTable, timeColumn, type Column, type DataTableProps } from "~/components/data-table";
import { Card } from "~/components/ui/card";
import { Empty, EmptyDescription } from "~/components/ui/empty";
import { tableMessages } from "~/content/lists";

const { deliveries: names } = tableMessages;

interface Delivery {
  readonly id: string;
  readonly attempts: number;
  /** Epoch milliseconds. */
  readonly updated_at: number;
}

interface DeliveryTableProps<Row> {
  caption: string;
  /** What the deliveries go to: "Address". */
  recipient: string;
  rows: readonly Row[];
  /** The recipient's address or device, in the type for those. */
  subject: (row: Row) => ReactNode;
  state: (row: Row) => ReactNode;
  detail: (row: Row) => ReactNode;
  now: number;
  empty: string;
  /** The address of the export. */
  download: string;
  paging: DataTableProps<Row>["paging"];
}

/** Lists the deliveries of a campaign or a notification: the recipient and the state of each. */
export function DeliveryTable<Row extends Delivery>(props: DeliveryTableProps<Row>) {
  const { caption, recipient, rows, subject, state, detail, now, empty, download, paging } = props;
  const columns: Column<Row>[] = [
    {
      name: recipient,
      cell: (row) => <div className="font-mono text-xs leading-5">{subject(row)}</div>,
    },
    { name: names.state, width: "sm:w-26", card: "caption", cell: state },
    {
      name: names.detail,
      width: "sm:w-[26%] md:w-[36%] @max-[50rem]/detail:w-[30%]",
      className: "text-muted-foreground",
      cell: detail,
    },
    {
      name: names.attempts,
      width: "sm:w-21",
      className: "tabular-nums max-sm:hidden @max-[50rem]/detail:hidden",
      cell: ({ attempts }) => attempts,
    },
    timeColumn({ name: names.updated, width: "sm:w-32", at: ({ updated_at }) => updated_at, now }),
  ];
  return (
    <DataTable
      caption={caption}
      columns={columns}
      rows={rows}
      empty={
        <Card>
          <Empty>
            <EmptyDescription>{empty}</EmptyDescription>
          </Empty>
        </Card>
      }
      paging={paging}
      footer={<CsvDownloadForm action={download} isFiltered />}
    />
  );
}
