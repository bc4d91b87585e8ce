import { useEffect, useRef, useState, type RefObject } from "react";
import { FormField } from "~/components/form-field";
import { IntentButton } from "~/components/intent-button";
import { NativeSelect } from "~/components/ui/native-select";
import { useHydrated } from "~/components/use-hydrated";
import { templateMessages as copy } from "~/content/templates";
import type { SubmissionKind } from "~/lib/form-fields";

interface TemplateChoice {
  readonly id: string;
  readonly name: string;
  readonly defaultOf: readonly SubmissionKind[];
}

interface StartFromProps {
  form: RefObject<HTMLFormElement>;
  choices: readonly TemplateChoice[];
  /** Selected in the form at first. */
  group: SubmissionKind;
  /** The template that the draft started from. */
  chosen: string | undefined;
}

/**
 * Starts the draft from a template. With JavaScript an empty form starts from the default of a group at once when the
 * group is chosen; without it by a button.
 */
export function StartFrom({ form, choices, group: firstGroup, chosen }: StartFromProps) {
  const defaultButton = useRef<HTMLButtonElement>(null);
  const [group, setGroup] = useState<string>(firstGroup);
  const isHydrated = useHydrated();
  const groupsWithDefault = choices.flatMap(({ defaultOf }) => defaultOf);
  const hasDefault = groupsWithDefault.some((each) => each === group);

  useEffect(() => {
    const { current } = form;
    if (!current) return undefined;
    const onChange = ({ target }: Event) => {
      if (!(target instanceof HTMLSelectElement) || target.name !== "audience") return;
      setGroup(target.value);
      const isDefaultOf = (choice: TemplateChoice) => choice.defaultOf.some((each) => each === target.value);
      if (choices.some(isDefaultOf) && isEmpty(current)) current.requestSubmit(defaultButton.current);
    };
    current.addEventListener("change", onChange);
    return () => current.removeEventListener("change", onChange);
  }, [form, choices]);

  return (
    <FormField label={copy.startFrom}>
      {(control) => (
        <div className="flex flex-wrap gap-2">
          <NativeSelect {...control} name="template" defaultValue={chosen} className="w-auto min-w-40 flex-1">
            {choices.map(({ id, name, defaultOf }) => (
              <option key={id} value={id}>
                {copy.choice(name, defaultOf)}
              </option>
            ))}
          </NativeSelect>
          <IntentButton intent="start">{copy.use}</IntentButton>
          {groupsWithDefault.length > 0 ? (
            <IntentButton
              ref={defaultButton}
              intent="start-default"
              variant="ghost"
              hidden={isHydrated && !hasDefault}
            >
              {copy.useDefault}
            </IntentButton>
          ) : null}
        </div>
      )}
    </FormField>
  );
}

/** Returns whether nothing is typed in the form's title and message. */
function isEmpty(form: HTMLFormElement): boolean {
  const fields = new FormData(form);
  return ["title", "message"].every((name) => String(fields.get(name) ?? "").trim() === "");
}
