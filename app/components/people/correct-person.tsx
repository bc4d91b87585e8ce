import { ChoiceField } from "~/components/choice-field";
import { ConfirmDialog } from "~/components/confirm-dialog";
import { HiddenFields } from "~/components/hidden-fields";
import { IntentButton } from "~/components/intent-button";
import { RefusalBanner } from "~/components/notice";
import { TextField } from "~/components/text-field";
import { personMessages } from "~/content/person";
import { linkTo } from "~/http/list-state";
import type { PersonAnswer, PersonView } from "~/http/person-page.server";
import { readShown, toShownInputs } from "~/http/shown-person";
import { capitalize } from "~/lib/capitalize";
import { CHOICES } from "~/lib/form-fields";
import { toMaxLength } from "~/lib/max-length";

const copy = personMessages.edit;
const ROLES = Object.fromEntries(CHOICES["early-access"].map((role) => [role, capitalize(role)]));
const MAX_LENGTH = toMaxLength(200);

/**
 * Keeps what was typed when no answer comes (`keepForm`); from the question before a merge it leads back to the form.
 */
export function keepCorrection({ values }: { values: Record<string, string> }): Partial<PersonAnswer> {
  const { intent = "" } = values;
  if (!["correct", "merge", "edit-again"].includes(intent)) return {};
  return { form: "correct", shown: readShown(values) };
}

type CorrectPersonProps = {
  view: PersonView;
  edited: NonNullable<PersonView["edited"]>;
  answer: PersonAnswer | undefined;
};

/** Corrects a person, over their page; asks before two people are merged. */
export function CorrectPerson({ view, edited, answer }: CorrectPersonProps) {
  const refused = answer?.form === "correct" ? answer : undefined;
  if (refused?.merge) return <MergeQuestion page={view.page} refused={refused} merge={refused.merge} />;
  const { columns, values } = edited;
  // The question before a merge leaves empty values out (HiddenFields).
  const typed = (name: keyof typeof values) => (refused ? (refused.values[name] ?? "") : values[name]);
  const shown = refused?.shown ?? values;
  const text = (column: "name" | "company") =>
    columns.includes(column) ? (
      <TextField
        key={`${column} ${shown[column]}`}
        label={copy[column]}
        name={column}
        defaultValue={typed(column)}
        error={refused?.errors[column]}
        maxLength={MAX_LENGTH}
        autoComplete="off"
      />
    ) : null;
  return (
    <ConfirmDialog
      title={copy.title}
      closeTo={view.page}
      action={linkTo(view.page, { step: "edit" })}
      intent="correct"
      yes={copy.save}
      no={copy.cancel}
      asksForInput
      fields={
        <>
          {toShownInputs(shown).map((input) => (
            <input key={input.name} type="hidden" {...input} />
          ))}
          {text("name")}
          <TextField
            key={`email ${shown.email}`}
            label={copy.email}
            name="email"
            // Not an email field: browsers refuse and change what the forms' own rules accept.
            inputMode="email"
            autoCapitalize="none"
            spellCheck={false}
            autoComplete="off"
            defaultValue={typed("email")}
            error={refused?.errors.email}
            required
          />
          {text("company")}
          {columns.includes("role") ? (
            <ChoiceField
              key={`role ${shown.role}`}
              label={copy.role}
              name="role"
              value={typed("role")}
              choices={ROLES}
              any={copy.noRole}
              error={refused?.errors.role}
            />
          ) : null}
          <TextField
            label={copy.reason}
            hint={copy.reasonHint}
            name="reason"
            maxLength={MAX_LENGTH}
            autoComplete="off"
            defaultValue={refused?.values.reason}
            error={refused?.errors.reason}
            required
          />
        </>
      }
    >
      {refused?.problem ? <RefusalBanner refusal={{ message: refused.problem }} /> : null}
      <p>{copy.about}</p>
      <p className="text-muted-foreground">
        {copy.aboutAddress} {view.copies ? copy.copies : null}
      </p>
    </ConfirmDialog>
  );
}

type MergeQuestionProps = {
  page: string;
  refused: PersonAnswer;
  merge: NonNullable<PersonAnswer["merge"]>;
};

function MergeQuestion({ page, refused, merge: { person, other } }: MergeQuestionProps) {
  const texts = personMessages.merge;
  const { intent: _, ...typed } = refused.values;
  return (
    <ConfirmDialog
      title={texts.question(other.name || other.email)}
      closeTo={page}
      action={linkTo(page, { step: "edit" })}
      intent="merge"
      yes={texts.yes}
      no={texts.no}
      fields={
        <>
          <HiddenFields values={{ ...typed, "merge-with": other.id }} />
          <IntentButton intent="edit-again" size="sm" className="self-start">
            {texts.back}
          </IntentButton>
        </>
      }
    >
      <ul className="flex flex-col gap-2 border-l-2 pl-3">
        {[other, person].map((one) => (
          <li key={one.id} className="wrap-anywhere">
            <bdi className="block font-medium">{one.name || one.email}</bdi>
            <bdi className="block font-mono text-xs text-muted-foreground">{one.email}</bdi>
            <span className="text-xs text-muted-foreground">
              {texts.forms(one.forms, one.isMore)}, {one === other ? texts.stays : texts.joins}
            </span>
          </li>
        ))}
      </ul>
      <p>{texts.what}</p>
      <p>{texts.suppression}</p>
    </ConfirmDialog>
  );
}
