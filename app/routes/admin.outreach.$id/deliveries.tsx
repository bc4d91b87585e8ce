import { Link } from "@remix-run/react";
import { Badge } from "~/components/ui/badge";
import type { BadgeProps } from "~/components/ui/badge";
import { Card, CardFooter } from "~/components/ui/card";
import { operatorMessages, skipReason } from "~/operator-messages";
import { paths } from "~/paths";
import type { ListedState } from "./delivery-states";

const copy = operatorMessages.outreachBooks;

const VARIANTS: Record<ListedState, BadgeProps["variant"]> = {
  pending: "neutral",
  claimed: "info",
  retrying: "warning",
  sent: "success",
  failed: "danger",
  skipped: "neutral",
  uncertain: "warning",
};

interface Row {
  id: string;
  address: string;
  state: ListedState;
  detail: string;
  attempts: number;
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
  if (rows.length === 0) return <p className="text-muted-foreground">{copy.noRows}</p>;
  const more = new URLSearchParams({ ...(state && { state }), after: next ?? "" });
  return (
    <Card className="overflow-x-auto">
      <table className="w-full text-left">
        <caption className="sr-only">{copy.tableCaption}</caption>
        <thead className="text-xs text-muted-foreground">
          <tr className="border-b">
            <th scope="col" className="h-9 px-4 font-medium">
              {copy.address}
            </th>
            <th scope="col" className="px-4 font-medium">
              {copy.state}
            </th>
            <th scope="col" className="hidden px-4 font-medium sm:table-cell">
              {copy.detail}
            </th>
            <th scope="col" className="hidden px-4 text-right font-medium sm:table-cell">
              {copy.attempts}
            </th>
          </tr>
        </thead>
        <tbody className="divide-y">
          {rows.map((row) => (
            <tr key={row.id} className="h-9">
              <td className="px-4 py-1.5 font-mono text-xs break-all">{row.address}</td>
              <td className="px-4">
                <Badge variant={VARIANTS[row.state]}>{copy.rowStates[row.state]}</Badge>
              </td>
              <td className="hidden max-w-md px-4 py-1.5 break-words text-muted-foreground sm:table-cell">
                {row.state === "skipped" ? skipReason(row.detail) : row.detail}
              </td>
              <td className="hidden px-4 text-right tabular-nums sm:table-cell">{row.attempts}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {next ? (
        <CardFooter>
          <Link to={`${paths.outreachSend(sendId)}?${more}`} className="underline underline-offset-2">
            {copy.more}
          </Link>
        </CardFooter>
      ) : null}
    </Card>
  );
}
