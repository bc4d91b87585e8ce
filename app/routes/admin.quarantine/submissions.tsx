import { Form, useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { HiddenFields } from "~/components/hidden-fields";
import { Timestamp } from "~/components/timestamp";
import { SelectableCell, SelectableRow, SelectableTable } from "~/components/selectable-table";
import { cn } from "~/lib/class-names";
import { submissionText } from "~/lib/submission-text";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";
import { DeedsOfTicked } from "./deeds";
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

/** What waits, to be selected. */
export function Submissions({ view, children }: SubmissionsProps) {
  // What was done or asked makes a new form: what is selected is what the URL says.
  const { key } = useLocation();
  return (
    <Form key={key} method="post" action={paths.quarantine} className="relative rounded-lg border bg-surface">
      {/* Enter on a checkbox presses the form's first button: this one only keeps what is selected. */}
      <button type="submit" formMethod="get" hidden aria-hidden tabIndex={-1} />
      <HiddenFields values={{ ...view.values, before: view.before }} />
      <DeedsOfTicked />
      <SelectableTable caption={copy.tableCaption} columns={copy.columns} widths={WIDTHS}>
        {view.rows.map((row) => (
          <Row key={row.id} row={row} now={view.now} isSelected={view.ticked.includes(row.id)} />
        ))}
      </SelectableTable>
      {children}
    </Form>
  );
}

function Row({ row, now, isSelected }: { row: Submission; now: number; isSelected: boolean }) {
  const { id, kind, reason, name, email, created_at } = row;
  const text = submissionText(kind, row);
  return (
    <SelectableRow
      id={id}
      isSelected={isSelected}
      label={copy.tick(name || email)}
      card="max-sm:grid-cols-[2.5rem_auto_minmax(0,1fr)]"
      lines="max-sm:row-span-4"
    >
      <SelectableCell className={WHOLE_LINE}>
        <bdi title={name} className="line-clamp-2 font-medium">
          {name}
        </bdi>
        <bdi title={email} className="line-clamp-2 font-mono text-xs leading-5 text-muted-foreground">
          {email}
        </bdi>
        <p className="hidden text-xs text-muted-foreground sm:max-md:block">{copy.forms[kind]}</p>
      </SelectableCell>
      <SelectableCell className={cn(CAPTION, "max-sm:col-start-2 max-sm:row-start-2 sm:max-md:hidden")}>
        {copy.forms[kind]}
      </SelectableCell>
      <SelectableCell className={cn(WHOLE_LINE, "max-sm:row-start-3", text === "" && "max-sm:hidden")}>
        <WhatItSays text={text} />
      </SelectableCell>
      <SelectableCell
        className={cn(
          CAPTION,
          "text-muted-foreground max-sm:col-start-3 max-sm:row-start-2 max-sm:before:mr-2 max-sm:before:content-['·']",
        )}
      >
        {reason ? copy.reasons[reason].cell : null}
      </SelectableCell>
      <SelectableCell className={cn(CAPTION, WHOLE_LINE, "sm:pr-4")}>
        <Timestamp at={created_at} now={now} />
      </SelectableCell>
    </SelectableRow>
  );
}
