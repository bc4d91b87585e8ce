import { Form, useNavigation } from "@remix-run/react";
import { useId } from "react";
import { MessageField } from "~/components/campaign/message-field";
import type { MergeField } from "~/lib/merge-fields";
import { TextConflict } from "~/components/campaign/text-conflict";
import { IntentButton } from "~/components/intent-button";
import { TextField } from "~/components/text-field";
import { Checkbox } from "~/components/ui/checkbox";
import {
  Field,
  FieldContent,
  FieldDescription,
  FieldGroup,
  FieldLabel,
  FieldLegend,
  FieldSet,
} from "~/components/ui/field";
import { outreachMessages } from "~/content/outreach";
import { templateMessages as copy } from "~/content/templates";
import { SUBMISSION_KINDS } from "~/lib/form-fields";
import { toMaxLength } from "~/lib/max-length";
import type { TemplateContent } from "~/services/outreach/templates.server";
import type { RefusedTemplate } from "./actions.server";

/** What the form is filled with: a template as it is saved, or a new one. */
export interface OpenedTemplate {
  /** undefined: not saved yet, or deleted. */
  id: string | undefined;
  values: TemplateContent;
  /** Groups of which it is the default. */
  groups: readonly string[];
  /** See getTemplateHash; empty for a new one. */
  contentHash: string;
}

interface TemplateFormProps {
  /** The address that the form is sent to. */
  page: string;
  opened: OpenedTemplate;
  refused: RefusedTemplate | undefined;
  /** The defaults of all groups. */
  defaults: readonly { readonly audience: string; readonly id: string; readonly name: string }[];
  /** The fields that the text can have. */
  fields: readonly MergeField[];
  now: number;
}

/** The form of a template. MessageField and TextConflict are those of the form of a campaign. */
export function TemplateForm({ page, opened, refused, defaults, fields, now }: TemplateFormProps) {
  const sent = useNavigation().formData?.get("intent");
  const { values, errors, groups, shownGroups, base } = refused ?? {
    values: opened.values,
    errors: {} as RefusedTemplate["errors"],
    groups: opened.groups,
    shownGroups: opened.groups,
    base: opened.contentHash,
  };
  const isDeleted = refused?.isDeleted ?? false;
  const isNew = isDeleted || opened.id === undefined;
  return (
    <Form method="post" action={page} className="flex flex-col gap-4">
      <input type="hidden" name="base" value={base} />
      {shownGroups.map((group) => (
        <input key={group} type="hidden" name="shown" value={group} />
      ))}
      {/* Enter in a field presses the form's first button, which is not the one that overwrites. */}
      <button
        type="submit"
        name="intent"
        value={isNew ? "create" : "save"}
        hidden
        aria-hidden
        tabIndex={-1}
      />
      {refused?.conflict ? (
        <TextConflict
          // The name stands where a campaign has its group.
          saved={{ ...refused.conflict, audience: refused.conflict.name }}
          page={page}
          now={now}
          copy={toConflictCopy(refused.conflict)}
        />
      ) : null}
      <TextField
        label={copy.name}
        hint={copy.nameHint}
        error={errors.name}
        name="name"
        maxLength={toMaxLength(100)}
        autoComplete="off"
        defaultValue={values.name}
      />
      <TextField
        label={copy.emailTitle}
        error={errors.title}
        name="title"
        maxLength={toMaxLength(200)}
        defaultValue={values.title}
      />
      <MessageField label={copy.message} error={errors.message} values={values} fields={fields} />
      <Groups selected={groups} id={opened.id} defaults={defaults} />
      <IntentButton
        intent={isNew ? "create" : "save"}
        variant="default"
        disabled={sent !== undefined && sent !== null}
        className="self-start"
      >
        {isDeleted ? copy.saveAsNew : copy.save}
      </IntentButton>
    </Form>
  );
}

interface GroupsProps extends Pick<TemplateFormProps, "defaults"> {
  selected: readonly string[];
  id: string | undefined;
}

/** The groups whose empty campaigns start from the template. */
function Groups({ selected, id, defaults }: GroupsProps) {
  const fieldId = useId();
  return (
    <FieldSet className="gap-1.5" aria-describedby={`${fieldId}-hint`}>
      <FieldLegend className="mb-0">{copy.defaultFor}</FieldLegend>
      <FieldDescription id={`${fieldId}-hint`}>{copy.defaultHint}</FieldDescription>
      <FieldGroup className="gap-x-6 gap-y-1 sm:flex-row sm:flex-wrap">
        {SUBMISSION_KINDS.map((group) => {
          const other = defaults.find((each) => each.audience === group && each.id !== id);
          return (
            <Field key={group} orientation="horizontal" className="w-auto py-1.5 pointer-coarse:py-2.5">
              <Checkbox
                id={`${fieldId}-${group}`}
                name="group"
                value={group}
                defaultChecked={selected.includes(group)}
                aria-describedby={other ? `${fieldId}-${group}-now` : undefined}
                className="mt-0.5"
              />
              <FieldContent>
                <FieldLabel htmlFor={`${fieldId}-${group}`}>{group}</FieldLabel>
                {other ? (
                  <FieldDescription id={`${fieldId}-${group}-now`} className="wrap-anywhere">
                    <bdi>{copy.defaultNow(other.name)}</bdi>
                  </FieldDescription>
                ) : null}
              </FieldContent>
            </Field>
          );
        })}
      </FieldGroup>
    </FieldSet>
  );
}

const toConflictCopy = ({ by, isOwn }: NonNullable<RefusedTemplate["conflict"]>) => ({
  title: isOwn ? copy.conflictOwn : copy.conflict,
  savedBy: copy.savedBy(by),
  label: copy.conflictTitle,
  noText: outreachMessages.noText,
  keepMine: copy.keepMine,
  takeTheirs: copy.takeTheirs,
});
