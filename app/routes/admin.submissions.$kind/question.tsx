import { ConfirmDialog } from "~/components/confirm-dialog";
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
          {through ? (
            <input type="hidden" name="through" value={through} />
          ) : (
            ticked.map((id) => <input key={id} type="hidden" name="id" value={id} />)
          )}
        </>
      }
    >
      <p>
        {copy.these(total)} {copy.consequence}
      </p>
      <ul className="flex flex-col gap-1 border-l-2 pl-3">
        {named.map(({ id, name, email }) => (
          <li key={id} className="wrap-anywhere">
            <bdi className="line-clamp-2 font-medium">{name}</bdi>
            <bdi className="line-clamp-2 font-mono text-xs text-muted-foreground">{email}</bdi>
          </li>
        ))}
        {total === undefined || total > named.length ? (
          <li className="text-muted-foreground">
            {total === undefined ? copy.andOthers : copy.andMore(total - named.length)}
          </li>
        ) : null}
      </ul>
      <p className="text-muted-foreground">
        {copy.mailGoesOn} {through ? copy.arrivals : null}
      </p>
    </ConfirmDialog>
  );
}
