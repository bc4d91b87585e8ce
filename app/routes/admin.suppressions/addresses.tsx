import { Form, Link, useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { HiddenFields } from "~/components/hidden-fields";
import { PersonLink } from "~/components/person-link";
import { Timestamp } from "~/components/timestamp";
import { Badge } from "~/components/ui/badge";
import { Button } from "~/components/ui/button";
import { SelectableCell, SelectableRow, SelectableTable } from "~/components/selectable-table";
import { cn } from "~/lib/class-names";
import { operatorMessages } from "~/content/operator-messages";
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

/** Whom nobody writes to, to be selected. */
export function Addresses({ view, children }: AddressesProps) {
  const { values, before, rows, ticked, now } = view;
  // What was done or asked makes a new form: what is selected is what the URL says.
  const { key } = useLocation();
  return (
    <Form
      key={key}
      method="get"
      action={paths.suppressions}
      preventScrollReset
      className="rounded-lg border bg-surface"
    >
      <HiddenFields values={{ ...values, before }} />
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
      <SelectableTable caption={copy.tableCaption} columns={copy.columns} widths={WIDTHS}>
        {rows.map((row) => (
          <AddressRow key={row.id} row={row} now={now} isSelected={ticked.includes(row.id)} />
        ))}
      </SelectableTable>
      {children}
    </Form>
  );
}

function AddressRow({ row, now, isSelected }: { row: Row; now: number; isSelected: boolean }) {
  const { id, address, person, reason, detail, optedOut, campaign, at } = row;
  return (
    <SelectableRow
      id={id}
      isSelected={isSelected}
      label={copy.tick(address)}
      card="max-sm:grid-cols-[2.5rem_minmax(0,1fr)]"
      lines="max-sm:row-span-4"
    >
      <SelectableCell className={LINE}>
        <span className="font-mono text-xs leading-5">
          <PersonLink id={person}>{address}</PersonLink>
        </span>
      </SelectableCell>
      <SelectableCell className={LINE}>
        {copy.reasons[reason]}
        {optedOut && !isOptOut(reason) ? (
          <Badge variant="warning" className="ml-2">
            {copy.optedOutToo}
          </Badge>
        ) : null}
        {detail ? <bdi className="line-clamp-3 text-xs text-muted-foreground">{detail}</bdi> : null}
      </SelectableCell>
      <SelectableCell className={cn(LINE, CAPTION, campaign === undefined && "max-sm:hidden")}>
        {campaign ? (
          <Link
            to={paths.outreachCampaign(campaign.id)}
            className="text-primary underline-offset-4 hover:underline max-md:underline"
          >
            <bdi className="line-clamp-2">{campaign.title || copy.untitled}</bdi>
          </Link>
        ) : (
          <>
            <span aria-hidden>–</span>
            <span className="sr-only">{copy.noCampaign}</span>
          </>
        )}
      </SelectableCell>
      <SelectableCell className={cn(LINE, CAPTION, "sm:pr-4")}>
        <Timestamp at={at} now={now} />
      </SelectableCell>
    </SelectableRow>
  );
}
