import { CellText } from "~/components/data-table";
import { NewMark } from "~/components/submissions/new-mark";
import { TablePanel } from "~/components/table-panel";
import { ListLink, TextLink } from "~/components/text-link";
import { Timestamp } from "~/components/timestamp";
import { submissionMessages as copy } from "~/content/submissions";
import { paths } from "~/paths";
import { type Column, formatValue, getColumns, getHeaders } from "~/services/submissions/submission-columns";
import type { SubmissionTable } from "./submissions.server";
import type { SubmissionKind } from "~/lib/form-fields";

type Submission = SubmissionTable["rows"][number];

/** Characters after which a name or address is cut (specification, section 9); CSS usually cuts it earlier. */
const NAME_LIMIT = 80;

interface Look {
  /** Column widths, in order. */
  widths: readonly string[];
  /** Address of the public form, so that it can be tried. */
  form: string;
}

const LOOKS: Record<SubmissionKind, Look> = {
  "early-access": {
    widths: ["sm:w-[20%]", "", "sm:w-[19%]", "sm:w-26", "sm:w-30 md:w-50 xl:w-80"],
    form: paths.earlyAccess,
  },
  "contact-form": {
    widths: ["sm:w-30 md:w-46 xl:w-76", "sm:w-[17%]", "sm:w-[25%]", "sm:w-27", ""],
    form: paths.contact,
  },
  "updates-signup": {
    widths: ["sm:w-30 md:w-46 xl:w-76", "sm:w-[30%]", ""],
    form: paths.updates,
  },
};

type SubmissionTablesProps = {
  tables: readonly SubmissionTable[];
  counts: Readonly<Record<SubmissionKind, number>>;
  now: number;
};

/** Tables of the submissions of each form, in the specification's columns. */
export function SubmissionTables({ tables, counts, now }: SubmissionTablesProps) {
  return tables.map(({ kind, rows, ...paging }) => {
    const look = LOOKS[kind];
    const title = copy.forms[kind];
    const headers = getHeaders(kind);
    return (
      <TablePanel
        key={kind}
        id={kind}
        title={title}
        columns={getColumns(kind).map((column, index) => ({
          name: headers[index] ?? "",
          width: look.widths[index],
          className: column === "name" ? "font-medium" : undefined,
          cell: (row: Submission) =>
            column === row.linked ? (
              <PersonCell row={row} text={String(row.cells[index] ?? "")} />
            ) : (
              renderCell(row.cells[index], column, now)
            ),
        }))}
        rows={rows}
        total={counts[kind]}
        more={
          counts[kind] > 0 ? (
            <TextLink to={paths.submissionTable(kind)} aria-label={`${copy.seeTable}: ${title}`}>
              {copy.seeTable}
            </TextLink>
          ) : undefined
        }
        paging={paging}
        empty={
          counts[kind] === 0 ? (
            <EmptyTable kind={kind} />
          ) : (
            <p className="text-muted-foreground">{copy.noOlder}</p>
          )
        }
      />
    );
  });
}

/** Links a submission's name, or its address when there is none, to the person. */
function PersonCell({ row, text }: { row: Submission; text: string }) {
  return (
    <div className="flex items-start gap-2">
      <ListLink to={paths.person(row.id)} className="min-w-0">
        <CellText text={text} limit={NAME_LIMIT} />
      </ListLink>
      {row.isNew ? <NewMark /> : null}
    </div>
  );
}

function renderCell(value: string | number = "", column: Column, now: number) {
  if (typeof value === "number") return <Timestamp at={value} now={now} exact />;
  return formatValue(column, value);
}

function EmptyTable({ kind }: { kind: SubmissionKind }) {
  const { title, text } = copy.noneOf[kind];
  return (
    <div className="mx-auto flex max-w-[32.8em] flex-col gap-2">
      <p className="font-medium">{title}</p>
      <p className="text-muted-foreground">
        {text} <TextLink to={LOOKS[kind].form}>{copy.openForm}</TextLink> {copy.sendItOnce}
      </p>
    </div>
  );
}
