import { timeColumn, toTooltip, type Column } from "~/components/data-table";
import { EmailAddress } from "~/components/email-address";
import { RowLink } from "~/components/list-detail";
import { NewMark } from "~/components/submissions/new-mark";
import { ListLink } from "~/components/text-link";
import { submissionMessages } from "~/content/submissions";
import type { SubmissionKind } from "~/lib/form-fields";
import { paths } from "~/paths";

const { columns: names } = submissionMessages;

interface Sender {
  id: string;
  name: string;
  email: string;
  isNew: boolean;
}

/**
 * Links a submission's name and address to the person, and marks one that is new.
 * @param kind the table beside which the person opens; left out, the link leads to the person's own page.
 */
export function senderColumn(kind?: SubmissionKind): Column<Sender> {
  return {
    name: names.sender,
    width: "sm:w-[32%] md:w-[36%] beside:w-auto",
    sort: [
      { by: "name", name: names.name },
      { by: "address", name: names.address },
    ],
    cell: ({ id, name, email, isNew }) => {
      const shown = (
        <bdi title={toTooltip(name)} className="line-clamp-2 md:line-clamp-1">
          {name || email}
        </bdi>
      );
      return (
        <div className="md:flex md:gap-2.5">
          <div className="flex items-start gap-2 md:max-w-[60%] md:shrink-0 md:items-center beside:max-w-full">
            {kind ? (
              <RowLink to={paths.submissionPerson(kind, id)} className="min-w-0 font-medium">
                {shown}
              </RowLink>
            ) : (
              <ListLink to={paths.person(id)} className="min-w-0 font-medium">
                {shown}
              </ListLink>
            )}
            {isNew ? <NewMark /> : null}
          </div>
          <EmailAddress address={email} />
        </div>
      );
    },
  };
}

export const receivedColumn = (now: number): Column<{ created_at: number }> =>
  timeColumn({
    name: names.received,
    sort: "received",
    width: "sm:w-29 md:w-36",
    at: ({ created_at }) => created_at,
    now,
  });
