import { Form, Link, useLocation } from "@remix-run/react";
import { PageLinks } from "~/components/page-links";
import { SelectAll } from "~/components/select-all";
import { Timestamp } from "~/components/timestamp";
import { Badge } from "~/components/ui/badge";
import { Button, buttonVariants } from "~/components/ui/button";
import { WhatItSays } from "~/components/what-it-says";
import { SelectableCell, SelectableRow, SelectableTable } from "~/components/selectable-table";
import { cn } from "~/lib/class-names";
import { submissionText } from "~/lib/submission-text";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";
import { submissionsAt } from "./address";
import { HiddenFields } from "~/components/hidden-fields";
import type { SubmissionsView } from "./submissions-view.server";

const copy = operatorMessages.submissions;
const WIDTHS = ["w-11", "w-[32%]", "", "w-28 md:w-44", "w-29 md:w-36"];
/** Of a card, below sm. */
const WHOLE_LINE = "max-sm:col-start-2 max-sm:col-span-2";

type Submission = SubmissionsView["rows"][number];

/** A page of a table, to be selected. */
export function Rows({ view }: { view: SubmissionsView }) {
  const { kind, values, after, newest } = view;
  // What was done or asked makes a new form: what is selected is what the URL says.
  const { key } = useLocation();
  return (
    <Form
      key={key}
      method="post"
      action={paths.submissionsOf(kind)}
      className="relative rounded-lg border bg-surface"
    >
      {/* Enter on a checkbox presses the form's first button: this one only keeps what is selected. */}
      <button type="submit" formMethod="get" hidden aria-hidden tabIndex={-1} />
      <HiddenFields values={{ ...values, after }} />
      <div className="sticky top-12 z-10 flex flex-wrap items-center gap-x-6 gap-y-2 rounded-t-lg border-b bg-surface px-3 py-2">
        <SelectAll label={copy.tickAll} />
        <div role="group" aria-label={copy.ticked} className="flex items-center gap-2">
          <span aria-hidden className="text-xs text-muted-foreground max-sm:hidden">
            {copy.ticked}
          </span>
          <Button type="submit" formMethod="get" name="step" value="delete" variant="danger" size="dense">
            {copy.delete}
          </Button>
        </div>
        {newest ? (
          <Link
            to={submissionsAt(kind, values, { after, step: "delete", through: newest })}
            preventScrollReset
            className={cn(buttonVariants({ variant: "quiet", size: "dense" }), "ml-auto text-danger")}
          >
            {copy.deleteAll}
          </Link>
        ) : null}
      </div>
      {view.isTooCommon ? (
        <p className="border-b px-4 py-2.5 text-xs text-muted-foreground">{copy.tooCommon}</p>
      ) : null}
      <SelectableTable caption={copy.tableLabel(copy.forms[kind])} columns={copy.columns} widths={WIDTHS}>
        {view.rows.map((row) => (
          <Row key={row.id} row={row} view={view} />
        ))}
      </SelectableTable>
      <Pages view={view} />
    </Form>
  );
}

function Row({ row, view }: { row: Submission; view: SubmissionsView }) {
  const { id, name, email, suppression, created_at } = row;
  const text = submissionText(view.kind, row);
  return (
    <SelectableRow
      id={id}
      isSelected={view.ticked.includes(id)}
      label={copy.tick(name || email)}
      card="max-sm:grid-cols-[2.5rem_auto_minmax(0,1fr)]"
      lines="max-sm:row-span-3"
    >
      <SelectableCell className={WHOLE_LINE}>
        <Link
          to={paths.person(id)}
          className="font-medium text-primary underline-offset-4 hover:underline max-md:underline"
        >
          <bdi title={name} className="line-clamp-2">
            {name || email}
          </bdi>
        </Link>
        <bdi title={email} className="line-clamp-2 font-mono text-xs leading-5 text-muted-foreground">
          {email}
        </bdi>
      </SelectableCell>
      <SelectableCell className={cn(WHOLE_LINE, text === "" && "max-sm:hidden")}>
        <WhatItSays text={text} />
      </SelectableCell>
      <SelectableCell className="max-sm:col-start-2 max-sm:row-start-3 max-sm:text-xs">
        {suppression ? (
          <Badge variant="warning">{operatorMessages.suppressions.reasons[suppression]}</Badge>
        ) : (
          <span className="text-muted-foreground">{copy.mailStates.open}</span>
        )}
      </SelectableCell>
      <SelectableCell className="text-muted-foreground max-sm:col-start-3 max-sm:row-start-3 max-sm:text-right max-sm:text-xs sm:pr-4">
        <Timestamp at={created_at} now={view.now} />
      </SelectableCell>
    </SelectableRow>
  );
}

function Pages({ view }: { view: SubmissionsView }) {
  const { kind, values, rows, total, isFirst, next } = view;
  return (
    <div className="flex flex-wrap items-center gap-2 border-t px-4 py-2.5">
      <p className="mr-auto text-xs text-muted-foreground tabular-nums">{copy.shown(rows.length, total)}</p>
      <PageLinks
        title={copy.forms[kind]}
        names={["First page", "Next page"]}
        newest={isFirst ? undefined : submissionsAt(kind, values)}
        older={next === undefined ? undefined : submissionsAt(kind, values, { after: next })}
      />
    </div>
  );
}
