import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { CsvDownloadForm } from "~/components/csv-download-form";
import { Timestamp } from "~/components/timestamp";
import { Card, CardFooter } from "~/components/ui/card";

interface LedgerTableProps {
  caption: string;
  columns: { subject: string; state: string; detail: string; attempts: string; updated: string };
  rows: readonly {
    id: string;
    /** An address or the like: set in the type of those. */
    subject: ReactNode;
    /** A badge. */
    state: ReactNode;
    detail: ReactNode;
    attempts: number;
    /** Epoch milliseconds. */
    updatedAt: number;
  }[];
  now: number;
  /** Stands where the rows would. */
  empty: string;
  /** A post that answers with a file of these rows. */
  download: { action: string; name: string };
  more: { to: string; name: string } | undefined;
}

/** The rows of a campaign's ledger: to whom, and what became of it. */
export function LedgerTable({ caption, columns, rows, now, empty, download, more }: LedgerTableProps) {
  if (rows.length === 0) return <p className="text-muted-foreground">{empty}</p>;
  return (
    <Card className="overflow-x-auto">
      <table className="w-full text-left">
        <caption className="sr-only">{caption}</caption>
        <thead className="text-xs text-muted-foreground">
          <tr className="border-b">
            <th scope="col" className="h-9 px-4 font-medium">
              {columns.subject}
            </th>
            <th scope="col" className="px-4 font-medium">
              {columns.state}
            </th>
            <th scope="col" className="hidden px-4 font-medium sm:table-cell">
              {columns.detail}
            </th>
            <th scope="col" className="hidden px-4 text-right font-medium sm:table-cell">
              {columns.attempts}
            </th>
            <th scope="col" className="hidden px-4 font-medium lg:table-cell">
              {columns.updated}
            </th>
          </tr>
        </thead>
        <tbody className="divide-y">
          {rows.map((row) => (
            <tr key={row.id} className="h-9">
              <td className="px-4 py-1.5 font-mono text-xs break-all">
                {row.subject}
                {/* There is no column for it on small screens. */}
                <span className="block font-sans break-words text-muted-foreground sm:hidden">
                  {row.detail}
                </span>
                <Timestamp
                  at={row.updatedAt}
                  now={now}
                  className="block font-sans text-muted-foreground lg:hidden"
                />
              </td>
              <td className="px-4">{row.state}</td>
              <td className="hidden max-w-md px-4 py-1.5 break-words text-muted-foreground sm:table-cell">
                {row.detail}
              </td>
              <td className="hidden px-4 text-right tabular-nums sm:table-cell">{row.attempts}</td>
              <td className="hidden px-4 text-muted-foreground lg:table-cell">
                <Timestamp at={row.updatedAt} now={now} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <CardFooter className="flex-wrap justify-between">
        <CsvDownloadForm action={download.action} name={download.name} />
        {more ? (
          <Link to={more.to} className="underline underline-offset-2">
            {more.name}
          </Link>
        ) : null}
      </CardFooter>
    </Card>
  );
}
