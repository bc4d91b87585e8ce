import { Form, useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { Timestamp } from "~/components/timestamp";
import { TickCell, TICKED_ROW, TickedTable } from "~/components/ticked-table";
import { cn } from "~/lib/class-names";
import { submissionText } from "~/lib/submission-text";
import { operatorMessages } from "~/operator-messages";
import { paths } from "~/paths";
import { DeedsOfTicked } from "./deeds";
import { FilterFields } from "./filter-fields";
import type { QuarantineView } from "./quarantine-view.server";
import { WhatItSays } from "~/components/what-it-says";

const copy = operatorMessages.quarantine;
const WIDTHS = ["w-11", "w-[28%]", "w-28 sm:max-md:hidden", "", "w-28 md:w-48", "w-28 md:w-32"];
/** Of a card, below sm. */
const WHOLE_LINE = "max-sm:col-start-2 max-sm:col-span-2";
const CAPTION = "max-sm:text-xs max-sm:text-muted-foreground";

type Submission = QuarantineView["rows"][number];

interface SubmissionsProps {
  view: QuarantineView;
  /** The way to other pages. */
  children: ReactNode;
}

/**
 * What waits, to be ticked: a table from sm on, below it the same rows as cards. The roles are written out, because a
 * table that is laid out as something else is none for those who hear it.
 */
export function Submissions({ view, children }: SubmissionsProps) {
  // What was done or asked makes a new form: what is ticked is what the URL says.
  const { key } = useLocation();
  return (
    <Form key={key} method="post" action={paths.quarantine} className="relative rounded-lg border bg-surface">
      {/* Enter on a tick presses the form's first button: this one only keeps what is ticked. */}
      <button type="submit" formMethod="get" hidden aria-hidden tabIndex={-1} />
      <FilterFields filter={view.filter} before={view.before} />
      <DeedsOfTicked />
      <TickedTable caption={copy.tableCaption} columns={copy.columns} widths={WIDTHS}>
        {view.rows.map((row) => (
          <Row key={row.id} row={row} now={view.now} ticked={view.ticked.includes(row.id)} />
        ))}
      </TickedTable>
      {children}
    </Form>
  );
}

function Row({ row, now, ticked }: { row: Submission; now: number; ticked: boolean }) {
  const { id, kind, reason, name, email, created_at } = row;
  const text = submissionText(kind, row);
  return (
    <tr role="row" className={cn(TICKED_ROW, "max-sm:grid-cols-[2.5rem_auto_minmax(0,1fr)]")}>
      <TickCell id={id} ticked={ticked} label={copy.tick(name || email)} className="max-sm:row-span-4" />
      <Cell className={WHOLE_LINE}>
        <bdi title={name} className="line-clamp-2 font-medium">
          {name}
        </bdi>
        <bdi title={email} className="line-clamp-2 font-mono text-xs leading-5 text-muted-foreground">
          {email}
        </bdi>
        <p className="hidden text-xs text-muted-foreground sm:max-md:block">{copy.forms[kind]}</p>
      </Cell>
      <Cell className={cn(CAPTION, "max-sm:col-start-2 max-sm:row-start-2 sm:max-md:hidden")}>
        {copy.forms[kind]}
      </Cell>
      <Cell className={cn(WHOLE_LINE, "max-sm:row-start-3", text === "" && "max-sm:hidden")}>
        <WhatItSays text={text} />
      </Cell>
      <Cell
        className={cn(
          CAPTION,
          "text-muted-foreground max-sm:col-start-3 max-sm:row-start-2 max-sm:before:mr-2 max-sm:before:content-['·']",
        )}
      >
        {reason ? copy.reasons[reason].cell : null}
      </Cell>
      <Cell className={cn(CAPTION, WHOLE_LINE, "sm:pr-4")}>
        <Timestamp at={created_at} now={now} />
      </Cell>
    </tr>
  );
}

function Cell({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <td role="cell" className={cn("align-top wrap-anywhere sm:px-3 sm:py-2.5 md:py-2", className)}>
      {children}
    </td>
  );
}
