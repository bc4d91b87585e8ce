import { ConfirmDialog } from "~/components/confirm-dialog";
import { NamedPeople, WhomFields } from "~/components/question-parts";
import { operatorMessages } from "~/operator-messages";
import { paths } from "~/paths";
import { submissionsAt } from "./address";
import { FilterFields } from "./filter-fields";
import type { Question as View, SubmissionsView } from "./submissions-view.server";

const copy = operatorMessages.submissions;

/** Says what becomes of how many and whose, and asks. What was ticked stays so on the way back. */
export function Question({ question, view }: { question: View; view: SubmissionsView }) {
  const { kind, values, after, ticked } = view;
  const { through, total, named } = question;
  const more = total === undefined ? copy.andOthers : copy.andMore(total - named.length);
  const isAll = total !== undefined && total <= named.length;
  return (
    <ConfirmDialog
      title={copy.question(total)}
      closeTo={submissionsAt(kind, values, { after, ticked: through ? [] : ticked })}
      action={paths.submissionsOf(kind)}
      intent="delete"
      yes={copy.delete}
      no={copy.keep}
      isDestructive
      fields={
        <>
          <FilterFields values={values} after={after} />
          <WhomFields through={through} ticked={ticked} />
        </>
      }
    >
      <p>
        {copy.these(total)} {copy.consequence}
      </p>
      <NamedPeople named={named} others={isAll ? undefined : more} />
      <p className="text-muted-foreground">
        {copy.mailGoesOn} {through ? copy.arrivals : null}
      </p>
    </ConfirmDialog>
  );
}
