import { Link } from "@remix-run/react";
import { DataTable } from "~/components/data-table";
import type { Cell } from "~/components/data-table";
import { Timestamp } from "~/components/timestamp";
import { paths } from "~/paths";
import type { SubmissionTable, TableKind } from "./submission-tables.server";
import { pageParameter } from "./page-parameter";

type Submission = SubmissionTable["rows"][number];

interface Look {
  title: string;
  /** Headers and their order: specification, section 2. */
  headers: readonly string[];
  widths: readonly string[];
  /** The column of the name. */
  subject: number;
  cells: (submission: Submission, time: Cell) => Cell[];
  /** What stands there while nobody has sent the form. */
  nobody: string;
  meaning: string;
  /** The public form, to be tried out. */
  form: string;
}

const LOOKS: Record<TableKind, Look> = {
  "early-access": {
    title: "Early Access",
    headers: ["Name", "Email", "Company", "Role", "Timestamp"],
    widths: ["w-[20%]", "", "w-[19%]", "w-26", "w-50 xl:w-80"],
    subject: 0,
    cells: ({ name, email, company, role }, time) => [name, email, company, capitalized(role), time],
    nobody: "Nobody has signed up yet",
    meaning:
      "Whoever asks for early access will stand here, newest first, with name, address, company and role.",
    form: paths.earlyAccess,
  },
  "contact-form": {
    title: "Contact Form",
    headers: ["Timestamp", "Full Name", "Email", "Inquiry Type", "Message"],
    widths: ["w-46 xl:w-76", "w-[17%]", "w-[25%]", "w-27", ""],
    subject: 1,
    cells: ({ name, email, inquiry_type, message }, time) => [
      time,
      name,
      email,
      capitalized(inquiry_type),
      message,
    ],
    nobody: "Nobody has written yet",
    meaning: "Questions, feedback and ideas from the contact form will stand here, newest first.",
    form: paths.contact,
  },
  "updates-signup": {
    title: "Updates",
    headers: ["Timestamp", "Name", "Email"],
    widths: ["w-46 xl:w-76", "w-[30%]", ""],
    subject: 1,
    cells: ({ name, email }, time) => [time, name, email],
    nobody: "Nobody has subscribed yet",
    meaning: "Whoever wants to hear how things go on will stand here, newest first.",
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
        headers={look.headers}
        widths={look.widths}
        subject={look.subject}
        rows={rows.map((row) => ({
          id: row.id,
          cells: look.cells(row, <Timestamp key="at" at={row.created_at} now={now} exact />),
        }))}
        total={counts[kind]}
        paging={{ parameter: pageParameter(kind), older, newest: isNewest ? undefined : "" }}
        empty={
          counts[kind] === 0 ? (
            <Nobody look={look} />
          ) : (
            <p className="text-muted-foreground">There are no older entries.</p>
          )
        }
      />
    );
  });
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

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
