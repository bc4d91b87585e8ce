import { ConfirmDialog } from "~/components/confirm-dialog";
import { TextField } from "~/components/text-field";
import { NamedPeople, SelectionFields } from "~/components/question-parts";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";
import { linkTo } from "~/http/list-state";
import { HiddenFields } from "~/components/hidden-fields";
import type { Question as View, SubmissionsView } from "./submissions.server";

const copy = operatorMessages.submissions;

/** Asks before a deletion, with counts and names. The selection is kept on the way back. */
export function Question({
  question,
  view,
  wordError,
}: {
  question: View;
  view: SubmissionsView;
  wordError: string | undefined;
}) {
  const { kind, values, after, selected } = view;
  const { through, total, named, asksForWord } = question;
  const page = paths.submissionsOf(kind);
  const isAll = !total.isMore && total.count <= named.length;
  return (
    <ConfirmDialog
      title={copy.question(total)}
      closeTo={linkTo(page, { ...values, after, id: through ? [] : selected })}
      // Posts to its own address, so that refusals are shown in the same place.
      action={through ? linkTo(page, { ...values, after, step: "delete", through }) : page}
      asksForInput={asksForWord}
      intent="delete"
      yes={copy.delete}
      no={copy.keep}
      isDestructive
      fields={
        <>
          <HiddenFields values={{ ...values, after }} />
          <SelectionFields through={through} selected={selected} />
          {asksForWord ? (
            <TextField
              label={copy.word}
              error={wordError}
              className="w-full pb-4"
              name="word"
              autoComplete="off"
              autoCapitalize="none"
            />
          ) : null}
        </>
      }
    >
      <p>
        {copy.these(total)} {copy.consequence}
      </p>
      <NamedPeople named={named} others={isAll ? undefined : copy.andMore(total, named.length)} />
      <p className="text-muted-foreground">
        {copy.mailGoesOn} {through ? copy.arrivals : null}
      </p>
    </ConfirmDialog>
  );
}
