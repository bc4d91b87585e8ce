import { ConfirmDialog } from "~/components/confirm-dialog";
import { TextField } from "~/components/text-field";
import { suppressionMessages as copy } from "~/content/suppressions";
import { linkTo } from "~/http/list-state";
import { paths } from "~/paths";
import type { Question as Asked, SuppressionsView } from "./suppressions.server";

interface QuestionProps {
  view: SuppressionsView;
  question: Asked;
  /** The previous answer and its error. */
  answer: { because: string; error: string | undefined } | undefined;
}

/** Says which addresses are released, and asks; asks for a reason too where a person had opted out. */
export function Question({ view, question, answer }: QuestionProps) {
  const { values, before, selected } = view;
  const { total, optedOut, named } = question;
  return (
    <ConfirmDialog
      title={copy.question(total)}
      closeTo={linkTo(paths.suppressions, { ...values, before, id: selected })}
      action={linkTo(paths.suppressions, { ...values, before, step: "release", id: selected })}
      intent="release"
      yes={copy.release}
      no={copy.keep}
      isDestructive={optedOut > 0}
      asksForInput={optedOut > 0}
      fields={
        <>
          {selected.map((id) => (
            <input key={id} type="hidden" name="id" value={id} />
          ))}
          {optedOut > 0 ? (
            <TextField
              label={copy.because}
              hint={copy.becauseHint}
              error={answer?.error}
              required
              className="mb-2 w-full"
              name="because"
              maxLength={200}
              defaultValue={answer?.because}
            />
          ) : null}
        </>
      }
    >
      <p>{copy.consequence(total)}</p>
      <ul className="flex flex-col gap-1 border-l-2 pl-3">
        {named.map(({ id, address, reason }) => (
          <li key={id} className="wrap-anywhere">
            <bdi className="font-mono text-xs">{address}</bdi>{" "}
            <span className="text-xs text-muted-foreground">{copy.reasons[reason]}</span>
          </li>
        ))}
        {total > named.length ? (
          <li className="text-muted-foreground">{copy.addPage.more(total - named.length)}</li>
        ) : null}
      </ul>
      {optedOut > 0 ? <p className="font-medium">{copy.optedOut(optedOut)}</p> : null}
    </ConfirmDialog>
  );
}
