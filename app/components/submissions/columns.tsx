import type { ReactNode } from "react";
import { timeColumn, type Column } from "~/components/data-table";
import { PersonCell } from "~/components/person-cell";
import { NewMark } from "~/components/submissions/new-mark";
import { submissionMessages } from "~/content/submissions";
import type { SubmissionKind } from "~/lib/form-fields";
import { paths } from "~/paths";

const { columns: names } = submissionMessages;

interface Sender {
  /** Of the submission; a person's page is found by it too. */
  id: string;
  name: string;
  email: string;
  isNew: boolean;
}

/**
 * Links a submission's name and address to the person, and marks one that is new.
 * @param kind the table beside which the person opens; left out, the link leads to the person's own page.
 * @param renderMark a further mark behind the name.
 */
export function senderColumn<Row extends Sender>(
  kind?: SubmissionKind,
  renderMark?: (row: Row) => ReactNode,
): Column<Row> {
  return {
    name: names.sender,
    width: "sm:w-[32%] md:w-[36%] beside:w-auto",
    sort: [
      { by: "name", name: names.name },
      { by: "address", name: names.address },
    ],
    cell: (row) => (
      <PersonCell
        name={row.name}
        email={row.email}
        to={kind ? paths.submissionPerson(kind, row.id) : paths.person(row.id)}
        isBeside={kind !== undefined}
        mark={
          <>
            {row.isNew ? <NewMark /> : null}
            {renderMark?.(row)}
          </>
        }
      />
    ),
  };
}

export const receivedColumn = (now: number): Column<{ created_at: number }> =>
  timeColumn({
    name: names.received,
    sort: "received",
    width: "sm:w-32 md:w-36",
    at: ({ created_at }) => created_at,
    now,
  });
