import { ConfirmDialog } from "~/components/confirm-dialog";
import { HiddenFields } from "~/components/hidden-fields";
import { NamedPeople, SelectionFields } from "~/components/question-parts";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";
import { SUBMISSION_KINDS } from "~/services/signups/typed-columns";
import { linkTo } from "~/http/list-state";
import type { QuarantineValues } from "./address";
import { countMatching } from "./filters";
import type { Question as View } from "./quarantine.server";

const copy = operatorMessages.quarantine;

interface QuestionProps {
  view: View;
  values: QuarantineValues;
  before: string | undefined;
  selected: readonly string[];
}

/** Asks before an action that cannot be undone, with counts and names. The selection is kept on the way back. */
export function Question({ view, values, before, selected }: QuestionProps) {
  const { action, through, counts, named } = view;
  const total = countMatching(counts, {});
  const back = linkTo(paths.quarantine, { ...values, before, id: through ? [] : selected });
  const others = total > named.length ? copy.andMore(total - named.length) : undefined;
  return (
    <ConfirmDialog
      title={copy.question[action](total)}
      closeTo={back}
      action={paths.quarantine}
      intent={action}
      yes={copy[action]}
      no={copy.keep}
      isDestructive={action === "purge"}
      fields={
        <>
          <HiddenFields values={{ ...values, before }} />
          <SelectionFields through={through} selected={selected} />
        </>
      }
    >
      <p>
        {formatCounts(counts)} {copy.consequence[action]}
      </p>
      <NamedPeople named={named} others={others} />
      {through ? <p className="text-muted-foreground">{copy.arrivals}</p> : null}
    </ConfirmDialog>
  );
}

/** Returns "2 early access signups and 1 contact inquiry". */
function formatCounts(counts: View["counts"]): string {
  const parts = SUBMISSION_KINDS.flatMap((kind) => {
    const count = countMatching(counts, { form: kind });
    return count > 0 ? copy.of[kind](count) : [];
  });
  const last = parts.pop() ?? "";
  return parts.length > 0 ? `${parts.join(", ")} and ${last}` : last;
}
