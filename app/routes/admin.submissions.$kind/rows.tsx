import { MailMinus } from "lucide-react";
import { CellText, DataTable, type Column } from "~/components/data-table";
import { AnswerButton } from "~/components/inquiries/answer-button";
import { InquiryState } from "~/components/inquiries/inquiry-state";
import { ReplyActions } from "~/components/inquiries/reply-actions";
import { EmptyList } from "~/components/empty-list";
import { ExpandableText } from "~/components/expandable-text";
import { receivedColumn, senderColumn } from "~/components/submissions/columns";
import { SuppressionBadge } from "~/components/suppression-badge";
import { Timestamp } from "~/components/timestamp";
import { Badge } from "~/components/ui/badge";
import { ButtonLink } from "~/components/button-link";
import { Button } from "~/components/ui/button";
import { inquiryMessages } from "~/content/inquiries";
import { IntentButton } from "~/components/intent-button";
import { filterMessages, tableMessages } from "~/content/lists";
import { submissionMessages as copy } from "~/content/submissions";
import { suppressionMessages } from "~/content/suppressions";
import { linkTo, toPageLinks } from "~/http/list-state";
import { isFiltered } from "~/http/lists/submissions-list";
import { paths } from "~/paths";
import type { SubmissionsView } from "./submissions.server";
import { getFields, type SubmissionKind } from "~/lib/form-fields";
import { UNKNOWN_SOURCE } from "~/lib/source";
import { SUBMISSION_SORTS } from "~/services/submissions/submission-filter";

const { columns: names } = copy;

type Submission = SubmissionsView["rows"][number];

/** A page of a form's table, with selection. */
export function Rows({ view }: { view: SubmissionsView }) {
  const { kind, values, place, through, rows, total, now } = view;
  const page = paths.submissionTable(kind);
  const columns = kind === "contact-form" ? listInquiryColumns(now) : listSignupColumns(view);
  return (
    <DataTable
      caption={copy.tableLabel(copy.forms[kind])}
      columns={columns}
      rows={rows}
      empty={<Empty view={view} />}
      emptyPage={<Empty view={view} />}
      note={view.isTooCommon ? copy.tooCommon(view.kind) : undefined}
      selection={{
        action: linkTo(page, { ...values, ...place }),
        fields: { ...values, ...place },
        selected: view.selected,
        label: ({ name, email }) => copy.select(name || email),
        selectAll: copy.selectAll,
        buttons: (
          <>
            {kind === "contact-form" ? (
              <>
                <IntentButton intent="answer" size="xs">
                  {inquiryMessages.answer}
                </IntentButton>
                <IntentButton intent="reopen" size="xs">
                  {inquiryMessages.reopen}
                </IntentButton>
              </>
            ) : null}
            <Button
              type="submit"
              formMethod="get"
              name="step"
              value="delete"
              variant="destructive"
              size="xs"
              data-delete
            >
              {copy.delete}
            </Button>
          </>
        ),
        aside:
          through === undefined ? null : (
            <ButtonLink
              to={linkTo(page, { ...values, ...place, step: "delete", through })}
              preventScrollReset
              variant="ghost"
              className="text-destructive"
            >
              {copy.deleteAll}
            </ButtonLink>
          ),
      }}
      sorting={{ path: page, sorts: SUBMISSION_SORTS, values }}
      paging={{
        title: copy.forms[kind],
        count: copy.shown(rows.length, total),
        ...toPageLinks(page, view, values),
      }}
    />
  );
}

/** Of the form with most columns. */
const SENDER_WIDTH = "sm:w-[32%] md:w-[36%] lg:w-[30%] beside:w-auto";

const listSignupColumns = ({ kind, now, asksHeardFrom }: SubmissionsView): Column<Submission>[] => [
  kind === "early-access" ? { ...senderColumn(kind), width: SENDER_WIDTH } : senderColumn(kind),
  ...listDetailColumns(kind, asksHeardFrom),
  kind === "early-access" ? sourceColumn : { ...sourceColumn, width: "sm:w-36", className: "beside:hidden" },
  emailColumn(kind),
  receivedColumn(now),
];

/**
 * A row is one line, with room for what is done with an inquiry. Whoever asked a question is no subscriber: their address
 * is told of only when it gets no email.
 */
const listInquiryColumns = (now: number): Column<Submission>[] => [
  {
    ...senderColumn<Submission>("contact-form", (row) => <SuppressionMark row={row} />),
    width: "sm:w-[30%] lg:w-[27%] beside:w-auto",
  },
  ...listDetailColumns("contact-form"),
  { ...sourceColumn, className: "sm:max-xl:hidden beside:hidden" },
  statusColumn(now),
  receivedInquiryColumn(now),
  actionsColumn,
];

/** Below md a table has no room for the status besides: it is a line below the time. */
const receivedInquiryColumn = (now: number): Column<Submission> => ({
  ...receivedColumn(now),
  width: "sm:w-28",
  cell: (row) => (
    <>
      <Timestamp at={row.created_at} now={now} />
      <div className="mt-1 max-sm:hidden md:hidden">
        <InquiryState inquiry={row} now={now} isCompact />
      </div>
    </>
  ),
});

/** What is done with an inquiry: an icon each, so that a row is one line. */
const actionsColumn: Column<Submission> = {
  name: inquiryMessages.actions,
  isHeaderHidden: true,
  width: "sm:w-26 sm:pointer-coarse:w-36",
  className: "sm:p-1! md:pb-0.75! beside:hidden",
  cell: (row) => (
    <div className="flex items-center gap-0.5 max-sm:-ml-2.5 sm:justify-end">
      <ReplyActions inquiry={row} isCompact />
      <AnswerButton inquiry={row} isCompact />
    </div>
  ),
};

/** Where the submission came from; a narrow table leaves it to the person's page. */
const sourceColumn: Column<Submission> = {
  name: copy.source,
  width: "lg:w-28 xl:w-40",
  className: "sm:max-lg:hidden beside:hidden",
  card: ({ source }) => (source === UNKNOWN_SOURCE ? "absent" : "labelled"),
  cell: ({ source }) => source,
};

/** Below md there is no room for it beside the column of the company or the message, in which it is a line (`listDetailColumns`). */
const columnFromMd = (name: string, get: (row: Submission) => string): Column<Submission> => ({
  ...columnFromXl(name, get),
  width: "md:w-26",
  className: "sm:max-md:hidden beside:hidden",
});

const columnFromXl = (name: string, get: (row: Submission) => string): Column<Submission> => ({
  name,
  width: "xl:w-44",
  className: "sm:max-xl:hidden beside:hidden",
  card: (row) => (get(row) === "" ? "absent" : "labelled"),
  cell: get,
});

const LineBelowMd = ({ text }: { text: string }) =>
  text === "" ? null : (
    <span className="block text-xs text-muted-foreground max-sm:hidden md:hidden">{text}</span>
  );

/** Lists the columns of what a form asks besides name and address. Below md its choices are lines of the company or the message. */
function listDetailColumns(kind: SubmissionKind, asksHeardFrom = false): Column<Submission>[] {
  const others = getFields(kind)
    .filter(({ column }) => column !== "name" && column !== "email")
    .filter((field) => !("setting" in field) || asksHeardFrom);
  const choices = others.filter((field) => field.rule.kind === "choice" && !("setting" in field));
  const renderChoices = (row: Submission) =>
    choices.map(({ column }) => <LineBelowMd key={column} text={row[column]} />);
  return others.map((field) => {
    const { column, label, rule } = field;
    if ("setting" in field) return columnFromXl(label, (row) => row[column]);
    if (rule.kind === "choice") return columnFromMd(label, (row) => row[column]);
    if ("multiline" in rule) {
      return {
        name: label,
        className: "beside:hidden",
        cell: (row) => (
          <>
            {renderChoices(row)}
            <ExpandableText text={row[column]} />
          </>
        ),
      };
    }
    return {
      name: label,
      className: "beside:hidden",
      sort: column === "company" ? column : undefined,
      card: (row) => (row[column] === "" ? "absent" : "labelled"),
      cell: (row) => (
        <>
          <CellText text={row[column]} />
          {renderChoices(row)}
        </>
      ),
    };
  });
}

/** From sm on a sign, which leaves the line to name and address. */
const SuppressionMark = ({ row: { suppression } }: { row: Submission }) =>
  suppression ? (
    <Badge variant="warning" title={suppressionMessages.reasons[suppression]} className="sm:px-1">
      <MailMinus aria-hidden className="max-sm:hidden" />
      <span className="sm:sr-only">{suppressionMessages.reasons[suppression]}</span>
    </Badge>
  ) : null;

const emailColumn = (kind: SubmissionKind): Column<Submission> => ({
  name: names.emailStatus,
  width: "sm:w-32 md:w-42",
  className: "text-muted-foreground beside:hidden",
  card: "caption",
  cell: ({ suppression }) =>
    suppression ? <SuppressionBadge reason={suppression} /> : copy.emailStates(kind).open,
});

const statusColumn = (now: number): Column<Submission> => ({
  name: inquiryMessages.status,
  width: "md:w-26",
  className: "sm:max-md:hidden beside:hidden",
  cell: (row) => <InquiryState inquiry={row} now={now} isCompact />,
});

/** Replaces the rows when there are none: says why, and what to do about it. */
function Empty({ view: { kind, values, errors, isFirst, recent } }: { view: SubmissionsView }) {
  const page = paths.submissionTable(kind);
  if (errors) return <EmptyList title={filterMessages.wrong} description={filterMessages.wrongText} />;
  if (!isFirst) {
    const toFirst = { to: linkTo(page, values), name: tableMessages.toFirst };
    return <EmptyList title={copy.noMore} description={copy.noMoreText} action={toFirst} />;
  }
  const { status, ...others } = values;
  if ((status === "open" || status === "answered") && !isFiltered({ ...others, status: "" })) {
    const isOpen = status === "open";
    return (
      <EmptyList
        title={isOpen ? inquiryMessages.noneOpen : inquiryMessages.noneAnswered}
        description={isOpen ? inquiryMessages.noneOpenText : inquiryMessages.noneAnsweredText}
        action={{ to: page, name: inquiryMessages.showAll }}
      />
    );
  }
  if (isFiltered(values)) {
    const showAll = { to: page, name: copy.showAll };
    const advice = values.q === "" ? copy.noMatchText : copy.notFoundText(kind);
    return <EmptyList title={copy.noMatch} description={advice} action={showAll} />;
  }
  if (recent.length > 0) return <EmptyList title={copy.allDeleted} description={copy.allDeletedText} />;
  return <EmptyList title={copy.empty} description={copy.emptyText} />;
}
