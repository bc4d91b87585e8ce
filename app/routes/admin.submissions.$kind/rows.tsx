import { CellText, DataTable, timeColumn, toTooltip, type Column } from "~/components/data-table";
import { EmptyList } from "~/components/empty-list";
import { ExpandableText } from "~/components/expandable-text";
import { Link } from "@remix-run/react";
import { Badge } from "~/components/ui/badge";
import { ButtonLink } from "~/components/button-link";
import { Button } from "~/components/ui/button";
import { filterMessages } from "~/content/lists";
import { submissionMessages as copy } from "~/content/submissions";
import { suppressionMessages } from "~/content/suppressions";
import { linkTo } from "~/http/list-state";
import { paths } from "~/paths";
import type { SubmissionKind } from "~/services/signups/typed-columns";
import { isFiltered } from "./filter";
import type { SubmissionsView } from "./submissions.server";

const { columns: names } = copy;

type Submission = SubmissionsView["rows"][number];

/** A page of a form's table, with selection. */
export function Rows({ view }: { view: SubmissionsView }) {
  const { kind, values, after, newest, rows, total, next, now } = view;
  const page = paths.submissionTable(kind);
  const columns: Column<Submission>[] = [
    senderColumn,
    ...DETAIL_COLUMNS[kind],
    {
      name: names.emailStatus,
      width: "sm:w-28 md:w-44",
      className: "text-muted-foreground",
      card: "caption",
      cell: (row) => <EmailState kind={kind} row={row} />,
    },
    receivedColumn(now),
  ];
  return (
    <DataTable
      caption={copy.tableLabel(copy.forms[kind])}
      columns={columns}
      rows={rows}
      empty={<Empty view={view} />}
      note={view.isTooCommon ? copy.tooCommon : undefined}
      selection={{
        action: page,
        fields: { ...values, after },
        selected: view.selected,
        label: ({ name, email }) => copy.select(name || email),
        selectAll: copy.selectAll,
        buttons: (
          <Button type="submit" formMethod="get" name="step" value="delete" variant="destructive">
            {copy.delete}
          </Button>
        ),
        aside: newest ? (
          <ButtonLink
            to={linkTo(page, { ...values, after, step: "delete", through: newest })}
            preventScrollReset
            variant="ghost"
            className="ml-auto text-destructive"
          >
            {copy.deleteAll}
          </ButtonLink>
        ) : null,
      }}
      paging={{
        title: copy.forms[kind],
        count: copy.shown(rows.length, total),
        names: ["First page", "Next page"],
        newest: after === undefined ? undefined : linkTo(page, values),
        older: next === undefined ? undefined : linkTo(page, { ...values, after: next }),
      }}
    />
  );
}

export const senderColumn: Column<Pick<Submission, "id" | "name" | "email">> = {
  name: names.sender,
  width: "sm:w-[32%]",
  cell: ({ id, name, email }) => (
    <>
      <Link to={paths.person(id)} className="link font-medium">
        <bdi title={toTooltip(name)} className="line-clamp-2">
          {name || email}
        </bdi>
      </Link>
      <bdi title={toTooltip(email)} className="address">
        {email}
      </bdi>
    </>
  ),
};

export const receivedColumn = (now: number): Column<{ created_at: number }> =>
  timeColumn({ name: names.received, width: "sm:w-29 md:w-36", at: ({ created_at }) => created_at, now });

/** Below md a table has no room for a second column: it is a line of the first. */
const columnFromMd = (name: string, get: (row: Submission) => string): Column<Submission> => ({
  name,
  width: "md:w-28",
  className: "sm:max-md:hidden",
  card: (row) => (get(row) === "" ? "absent" : "labelled"),
  cell: get,
});

const LineBelowMd = ({ text }: { text: string }) =>
  text === "" ? null : (
    <span className="block text-xs text-muted-foreground max-sm:hidden md:hidden">{text}</span>
  );

/** What each form asks besides name and address. */
const DETAIL_COLUMNS: Record<SubmissionKind, readonly Column<Submission>[]> = {
  "early-access": [
    {
      name: names.company,
      card: ({ company }) => (company === "" ? "absent" : "labelled"),
      cell: ({ company, role }) => (
        <>
          <CellText text={company} />
          <LineBelowMd text={role} />
        </>
      ),
    },
    columnFromMd(names.role, ({ role }) => role),
  ],
  "contact-form": [
    columnFromMd(names.inquiryType, ({ inquiryType }) => inquiryType),
    {
      name: names.message,
      cell: ({ inquiryType, message }) => (
        <>
          <LineBelowMd text={inquiryType} />
          <ExpandableText text={message} />
        </>
      ),
    },
  ],
  "updates-signup": [],
};

function EmailState({ kind, row: { suppression } }: { kind: SubmissionKind; row: Submission }) {
  if (!suppression) return copy.emailStates(kind).open;
  return <Badge variant="warning">{suppressionMessages.reasons[suppression]}</Badge>;
}

/** Replaces the rows when there are none: says why, and what to do about it. */
function Empty({ view: { kind, values, errors, after, recent } }: { view: SubmissionsView }) {
  const page = paths.submissionTable(kind);
  if (errors) return <EmptyList title={filterMessages.wrong} then={filterMessages.wrongText} />;
  if (after !== undefined) {
    const toFirst = { text: copy.noMoreText, to: linkTo(page, values), name: copy.toFirst };
    return <EmptyList title={copy.noMore} then={toFirst} />;
  }
  if (isFiltered(values)) {
    const showAll = { text: copy.noMatchText, to: page, name: copy.showAll };
    return <EmptyList title={copy.noMatch} then={showAll} />;
  }
  if (recent.length > 0) return <EmptyList title={copy.allDeleted} then={copy.allDeletedText} />;
  return <EmptyList title={copy.empty} then={copy.emptyText} />;
}
