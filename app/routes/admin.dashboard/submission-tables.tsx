import { Link } from "@remix-run/react";
import { DataTable } from "~/components/data-table";
import type { Cell } from "~/components/data-table";
import { Timestamp } from "~/components/timestamp";
import { capitalized } from "~/lib/capitalized";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";
import { columnsOf, headersOf } from "~/content/submission-columns";
import type { SubmissionTable, TableKind } from "./submission-tables.server";
import { pageParameter } from "./page-parameter";

type Submission = SubmissionTable["rows"][number];

interface Look {
  title: string;
  /** In the order of its columns. */
  widths: readonly string[];
  /** What stands there while nobody has sent the form. */
  nobody: string;
  meaning: string;
  /** The public form, to be tried out. */
  form: string;
}

const LOOKS: Record<TableKind, Look> = {
  "early-access": {
    title: "Early Access",
    widths: ["w-[20%]", "", "w-[19%]", "w-26", "w-30 md:w-50 xl:w-80"],
    nobody: "No signups yet",
    meaning: "Early access signups appear here, newest first.",
    form: paths.earlyAccess,
  },
  "contact-form": {
    title: "Contact Form",
    widths: ["w-30 md:w-46 xl:w-76", "w-[17%]", "w-[25%]", "w-27", ""],
    nobody: "No inquiries yet",
    meaning: "Questions, feedback and ideas from the contact form appear here, newest first.",
    form: paths.contact,
  },
  "updates-signup": {
    title: "Updates",
    widths: ["w-30 md:w-46 xl:w-76", "w-[30%]", ""],
    nobody: "No subscribers yet",
    meaning: "People who subscribe to updates appear here, newest first.",
    form: paths.updates,
  },
};

type SubmissionTablesProps = {
  tables: readonly SubmissionTable[];
  counts: Readonly<Record<TableKind, number>>;
  now: number;
};

/** What came in by each form, in the specification's columns. */
export function SubmissionTables({ tables, counts, now }: SubmissionTablesProps) {
  return tables.map(({ kind, rows, older, isNewest }) => {
    const look = LOOKS[kind];
    return (
      <DataTable
        key={kind}
        id={kind}
        title={look.title}
        headers={headersOf(kind)}
        widths={look.widths}
        subject={columnsOf(kind).indexOf("name")}
        rows={rows.map((row) => ({
          id: row.id,
          cells: columnsOf(kind).map((column) => cellOf(row, column, now)),
        }))}
        total={counts[kind]}
        more={
          counts[kind] > 0 ? (
            <Link
              to={paths.submissionsOf(kind)}
              aria-label={`${operatorMessages.submissions.seeTable}: ${look.title}`}
              className="text-primary underline underline-offset-4"
            >
              {operatorMessages.submissions.seeTable}
            </Link>
          ) : undefined
        }
        paging={{ parameter: pageParameter(kind), older, newest: isNewest ? undefined : "" }}
        empty={
          counts[kind] === 0 ? (
            <Nobody look={look} />
          ) : (
            <p className="text-muted-foreground">No older entries.</p>
          )
        }
      />
    );
  });
}

function cellOf(row: Submission, column: ReturnType<typeof columnsOf>[number], now: number): Cell {
  switch (column) {
    case "created_at":
      return <Timestamp key="at" at={row.created_at} now={now} exact />;
    case "role":
    case "inquiry_type":
      return capitalized(row[column]);
    default:
      return row[column];
  }
}

function Nobody({ look }: { look: Look }) {
  return (
    <div className="mx-auto flex max-w-[52ch] flex-col gap-2">
      <p className="font-medium">{look.nobody}</p>
      <p className="text-muted-foreground">
        {look.meaning}{" "}
        <Link to={look.form} className="text-primary underline underline-offset-4">
          Open the form
        </Link>{" "}
        and send it once to see how.
      </p>
    </div>
  );
}
