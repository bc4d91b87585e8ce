import { ConfirmDialog } from "~/components/confirm-dialog";
import { NamedPeople, WhomFields } from "~/components/question-parts";
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
  const others = total > named.length ? copy.andMore(total - named.length) : undefined;
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
          <WhomFields through={through} ticked={ticked} />
        </>
      }
    >
      <p>
        {listed(counts)} {copy.consequence[deed]}
      </p>
      <NamedPeople named={named} others={others} />
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
