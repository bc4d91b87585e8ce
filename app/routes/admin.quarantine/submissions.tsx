import { DataTable, type Column } from "~/components/data-table";
import { Timestamp } from "~/components/timestamp";
import { Button, IntentButton } from "~/components/ui/button";
import { ExpandableText } from "~/components/expandable-text";
import { linkTo, toPageLinks } from "~/http/list-state";
import { submissionText } from "~/lib/submission-text";
import { tableMessages } from "~/content/lists";
import { quarantineMessages as copy } from "~/content/quarantine";
import { paths } from "~/paths";
import type { QuarantineView } from "./quarantine.server";
import { EmptyList } from "~/components/empty-list";
import { countMatching } from "./filters";

const [select, sender, form, text, reason, received] = copy.columns;

type Submission = QuarantineView["rows"][number];

/** Lists the quarantined submissions for selection. Releasing a selection needs no confirmation. */
export function Submissions({ view, total }: { view: QuarantineView; total: number }) {
  const { values, before, rows, older, now } = view;
  const columns: Column<Submission>[] = [
    { name: sender, width: "sm:w-[33%] md:w-[28%]", cell: (row) => <Sender row={row} /> },
    {
      name: form,
      width: "sm:w-28",
      className: "sm:max-md:hidden",
      card: "caption",
      cell: ({ kind }) => copy.forms[kind],
    },
    {
      name: text,
      card: (row) => (submissionText(row.kind, row) === "" ? "absent" : "line"),
      cell: (row) => <ExpandableText text={submissionText(row.kind, row)} />,
    },
    {
      name: reason,
      width: "sm:w-28 md:w-48",
      className: "text-muted-foreground",
      card: "caption",
      cell: (row) => <span>{row.reason ? copy.reasons[row.reason].cell : null}</span>,
    },
    {
      name: received,
      width: "sm:w-28 md:w-32",
      card: "caption",
      cell: ({ created_at }) => <Timestamp at={created_at} now={now} />,
    },
  ];
  const hasPages = before !== undefined || older !== undefined;
  return (
    <DataTable
      caption={copy.tableCaption}
      columns={columns}
      rows={rows}
      empty={<Empty view={view} total={total} />}
      selection={{
        action: paths.quarantine,
        fields: { ...values, before },
        selected: view.selected,
        label: ({ name, email }) => copy.select(name || email),
        selectAll: copy.selectAll,
        header: select,
        group: copy.selected,
        buttons: (
          <>
            <IntentButton intent="release">{copy.release}</IntentButton>
            <Button type="submit" formMethod="get" name="step" value="purge" variant="danger" size="dense">
              {copy.purge}
            </Button>
          </>
        ),
      }}
      paging={{
        title: copy.title,
        count: hasPages ? tableMessages.shown(rows.length, total) : undefined,
        ...toPageLinks(paths.quarantine, { older, isNewest: before === undefined }, values),
      }}
    />
  );
}

function Sender({ row: { kind, name, email } }: { row: Submission }) {
  return (
    <>
      <bdi title={name} className="line-clamp-2 font-medium">
        {name}
      </bdi>
      <bdi title={email} className="address">
        {email}
      </bdi>
      <p className="hidden text-xs text-muted-foreground sm:max-md:block">{copy.forms[kind]}</p>
    </>
  );
}

/** Replaces the rows when there are none: says what appears here and how, or links to where there are some. */
export function Empty({ view: { counts, values }, total }: { view: QuarantineView; total: number }) {
  if (countMatching(counts, {}) === 0) return <EmptyList title={copy.emptyTitle} then={copy.empty} />;
  if (total === 0)
    return <EmptyList title={copy.noMatch} then={{ to: paths.quarantine, name: copy.showAll }} />;
  return (
    <EmptyList title={copy.noOlder} then={{ to: linkTo(paths.quarantine, values), name: copy.toNewest }} />
  );
}
