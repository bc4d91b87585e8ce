import { Form, Link, useLocation } from "@remix-run/react";
import { PageLinks } from "~/components/page-links";
import { TickAll } from "~/components/tick-all";
import { Timestamp } from "~/components/timestamp";
import { Badge } from "~/components/ui/badge";
import { Button, buttonVariants } from "~/components/ui/button";
import { WhatItSays } from "~/components/what-it-says";
import { TickCell, TICKED_ROW, TickedTable } from "~/components/ticked-table";
import { cn } from "~/lib/class-names";
import { submissionText } from "~/lib/submission-text";
import { operatorMessages } from "~/operator-messages";
import { paths } from "~/paths";
import { submissionsAt } from "./address";
import { FilterFields } from "./filter-fields";
import type { SubmissionsView } from "./submissions-view.server";

const copy = operatorMessages.submissions;
const WIDTHS = ["w-11", "w-[32%]", "", "w-28 md:w-44", "w-29 md:w-36"];
/** Of a card, below sm. */
const WHOLE_LINE = "max-sm:col-start-2 max-sm:col-span-2";

type Submission = SubmissionsView["rows"][number];

/**
 * A page of a table, to be ticked: a table from sm on, below it the same rows as cards. The roles are written out, because
 * a table that is laid out as something else is none for those who hear it.
 */
export function Rows({ view }: { view: SubmissionsView }) {
  const { kind, values, after, newest } = view;
  // What was done or asked makes a new form: what is ticked is what the URL says.
  const { key } = useLocation();
  return (
    <Form
      key={key}
      method="post"
      action={paths.submissionsOf(kind)}
      className="relative rounded-lg border bg-surface"
    >
      {/* Enter on a tick presses the form's first button: this one only keeps what is ticked. */}
      <button type="submit" formMethod="get" hidden aria-hidden tabIndex={-1} />
      <FilterFields values={values} after={after} />
      <div className="sticky top-12 z-10 flex flex-wrap items-center gap-x-6 gap-y-2 rounded-t-lg border-b bg-surface px-3 py-2">
        <TickAll label={copy.tickAll} />
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
      <TickedTable caption={copy.tableLabel(copy.forms[kind])} columns={copy.columns} widths={WIDTHS}>
        {view.rows.map((row) => (
          <Row key={row.id} row={row} view={view} />
        ))}
      </TickedTable>
      <Pages view={view} />
    </Form>
  );
}

function Row({ row, view }: { row: Submission; view: SubmissionsView }) {
  const { id, name, email, suppression, created_at } = row;
  const text = submissionText(view.kind, row);
  return (
    <tr role="row" className={cn(TICKED_ROW, "max-sm:grid-cols-[2.5rem_auto_minmax(0,1fr)]")}>
      <TickCell
        id={id}
        ticked={view.ticked.includes(id)}
        label={copy.tick(name || email)}
        className="max-sm:row-span-3"
      />
      <td role="cell" className={cn("align-top wrap-anywhere sm:px-3 sm:py-2.5 md:py-2", WHOLE_LINE)}>
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
      </td>
      <td
        role="cell"
        className={cn(
          "align-top wrap-anywhere sm:px-3 sm:py-2.5 md:py-2",
          WHOLE_LINE,
          text === "" && "max-sm:hidden",
        )}
      >
        <WhatItSays text={text} />
      </td>
      <td
        role="cell"
        className="align-top max-sm:col-start-2 max-sm:row-start-3 max-sm:text-xs sm:px-3 sm:py-2.5 md:py-2"
      >
        {suppression ? (
          <Badge variant="warning">{operatorMessages.suppressions.reasons[suppression]}</Badge>
        ) : (
          <span className="text-muted-foreground">{copy.mailStates.open}</span>
        )}
      </td>
      <td
        role="cell"
        className="align-top text-muted-foreground max-sm:col-start-3 max-sm:row-start-3 max-sm:text-right max-sm:text-xs sm:px-3 sm:py-2.5 sm:pr-4 md:py-2"
      >
        <Timestamp at={created_at} now={view.now} />
      </td>
    </tr>
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
