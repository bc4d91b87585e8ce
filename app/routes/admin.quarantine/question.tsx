import { ConfirmDialog } from "~/components/confirm-dialog";
import { operatorMessages } from "~/operator-messages";
import { paths } from "~/paths";
import { SUBMISSION_KINDS } from "~/services/signups/submission-kinds";
import { quarantineAt, type Filter } from "./address";
import { totalOf } from "./filters";
import { FilterFields } from "./filter-fields";
import type { Question as View } from "./quarantine-view.server";

const copy = operatorMessages.quarantine;

interface QuestionProps {
  view: View;
  filter: Filter;
  before: string | undefined;
  ticked: readonly string[];
}

/** What cannot be undone says what becomes of how many and whose, and asks. What was ticked stays so on the way back. */
export function Question({ view, filter, before, ticked }: QuestionProps) {
  const { deed, through, counts, named } = view;
  const total = totalOf(counts, {});
  const back = quarantineAt({ ...filter, before, ticked: through ? [] : ticked });
  return (
    <ConfirmDialog
      title={copy.question[deed](total)}
      closeTo={back}
      action={paths.quarantine}
      intent={deed}
      yes={copy[deed]}
      no={copy.keep}
      isDestructive={deed === "purge"}
      fields={
        <>
          <FilterFields filter={filter} before={before} />
          {through ? (
            <input type="hidden" name="through" value={through} />
          ) : (
            ticked.map((id) => <input key={id} type="hidden" name="id" value={id} />)
          )}
        </>
      }
    >
      <p>
        {listed(counts)} {copy.consequence[deed]}
      </p>
      <ul className="flex flex-col gap-1 border-l-2 pl-3">
        {named.map(({ id, name, email }) => (
          <li key={id} className="wrap-anywhere">
            <bdi className="line-clamp-2 font-medium">{name}</bdi>
            <bdi className="line-clamp-2 font-mono text-xs text-muted-foreground">{email}</bdi>
          </li>
        ))}
        {total > named.length ? (
          <li className="text-muted-foreground">{copy.andMore(total - named.length)}</li>
        ) : null}
      </ul>
      {through ? <p className="text-muted-foreground">{copy.arrivals}</p> : null}
    </ConfirmDialog>
  );
}

/** "2 early access signups and 1 contact inquiry" */
function listed(counts: View["counts"]): string {
  const parts = SUBMISSION_KINDS.flatMap((kind) => {
    const count = totalOf(counts, { kind });
    return count > 0 ? copy.of[kind](count) : [];
  });
  const last = parts.pop() ?? "";
  return parts.length > 0 ? `${parts.join(", ")} and ${last}` : last;
}
