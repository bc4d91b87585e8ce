import { Form, Link, useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { PersonLink } from "~/components/person-link";
import { Timestamp } from "~/components/timestamp";
import { Badge } from "~/components/ui/badge";
import { Button } from "~/components/ui/button";
import { TickCell, TICKED_ROW, TickedTable } from "~/components/ticked-table";
import { cn } from "~/lib/class-names";
import { operatorMessages } from "~/operator-messages";
import { paths } from "~/paths";
import { isOptOut } from "~/services/suppressions/suppression-reasons";
import type { SuppressionsView } from "./suppressions-view.server";

const copy = operatorMessages.suppressions;
const WIDTHS = ["w-11", "w-[30%]", "", "w-[22%]", "w-29 md:w-32"];
/** Of a card, below sm. */
const LINE = "max-sm:col-start-2";
const CAPTION = "max-sm:text-xs text-muted-foreground";

type Row = SuppressionsView["rows"][number];

interface AddressesProps {
  view: SuppressionsView;
  /** The way to other pages. */
  children: ReactNode;
}

/**
 * Whom nobody writes to, to be ticked: a table from sm on, below it the same rows as cards. The roles are written out,
 * because a table that is laid out as something else is none for those who hear it.
 */
export function Addresses({ view, children }: AddressesProps) {
  const { filter, before, rows, ticked, now } = view;
  // What was done or asked makes a new form: what is ticked is what the URL says.
  const { key } = useLocation();
  return (
    <Form
      key={key}
      method="get"
      action={paths.suppressions}
      preventScrollReset
      className="rounded-lg border bg-surface"
    >
      {Object.entries({ ...filter, before }).map(([name, value]) =>
        value ? <input key={name} type="hidden" name={name} value={value} /> : null,
      )}
      <div
        role="group"
        aria-label={copy.ticked}
        className="sticky top-12 z-10 flex items-center gap-2 rounded-t-lg border-b bg-surface px-3 py-2"
      >
        <span aria-hidden className="text-xs text-muted-foreground">
          {copy.ticked}
        </span>
        <Button type="submit" name="step" value="release" variant="secondary" size="dense">
          {copy.release}
        </Button>
      </div>
      <TickedTable caption={copy.tableCaption} columns={copy.columns} widths={WIDTHS}>
        {rows.map((row) => (
          <AddressRow key={row.id} row={row} now={now} ticked={ticked.includes(row.id)} />
        ))}
      </TickedTable>
      {children}
    </Form>
  );
}

function AddressRow({ row, now, ticked }: { row: Row; now: number; ticked: boolean }) {
  const { id, address, person, reason, detail, optedOut, send, at } = row;
  return (
    <tr role="row" className={cn(TICKED_ROW, "max-sm:grid-cols-[2.5rem_minmax(0,1fr)]")}>
      <TickCell id={id} ticked={ticked} label={copy.tick(address)} className="max-sm:row-span-4" />
      <Cell>
        <span className="font-mono text-xs leading-5">
          <PersonLink id={person}>{address}</PersonLink>
        </span>
      </Cell>
      <Cell>
        {copy.reasons[reason]}
        {optedOut && !isOptOut(reason) ? (
          <Badge variant="warning" className="ml-2">
            {copy.optedOutToo}
          </Badge>
        ) : null}
        {detail ? <bdi className="line-clamp-3 text-xs text-muted-foreground">{detail}</bdi> : null}
      </Cell>
      <Cell className={cn(CAPTION, send === undefined && "max-sm:hidden")}>
        {send ? (
          <Link
            to={paths.outreachSend(send.id)}
            className="text-primary underline-offset-4 hover:underline max-md:underline"
          >
            <bdi className="line-clamp-2">{send.title || copy.untitled}</bdi>
          </Link>
        ) : (
          <>
            <span aria-hidden>–</span>
            <span className="sr-only">{copy.noSend}</span>
          </>
        )}
      </Cell>
      <Cell className={cn(CAPTION, "sm:pr-4")}>
        <Timestamp at={at} now={now} />
      </Cell>
    </tr>
  );
}

function Cell({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <td role="cell" className={cn("align-top wrap-anywhere sm:px-3 sm:py-2.5 md:py-2", LINE, className)}>
      {children}
    </td>
  );
}
