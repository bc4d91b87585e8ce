import { Form } from "@remix-run/react";
import { FormField } from "~/components/form-field";
import { IntentButton } from "~/components/intent-button";
import { Textarea } from "~/components/ui/textarea";
import { personMessages as copy } from "~/content/person";
import type { PersonAnswer } from "~/http/person-page.server";

/** Adds an operator's note to the timeline. */
export function NoteForm({ page, answer }: { page: string; answer: PersonAnswer | undefined }) {
  const refused = answer?.form === "note" ? answer : undefined;
  return (
    <Form
      method="post"
      action={page}
      preventScrollReset
      className="flex flex-wrap items-end gap-2 border-b p-4"
    >
      <FormField
        label={copy.note.label}
        hint={copy.note.hint}
        error={refused?.errors.text}
        className="min-w-48 flex-1"
      >
        {(control) => (
          <Textarea
            {...control}
            name="text"
            rows={1}
            className="min-h-9 py-1.5"
            defaultValue={refused?.values.text}
          />
        )}
      </FormField>
      <IntentButton intent="add-note">{copy.note.add}</IntentButton>
    </Form>
  );
}
