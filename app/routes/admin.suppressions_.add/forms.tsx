import { Form } from "@remix-run/react";
import { Banner } from "~/components/banner";
import { Field } from "~/components/field";
import { TextField } from "~/components/text-field";
import { IntentButton } from "~/components/ui/button";
import { Card, CardContent, CardHeader } from "~/components/ui/card";
import { Input } from "~/components/ui/input";
import { Textarea } from "~/components/ui/textarea";
import { suppressionMessages } from "~/content/suppressions";
import type { RefusedAdd } from "./actions.server";

const copy = suppressionMessages.addPage;

type Refused<Form extends string> = Extract<RefusedAdd, { form: Form }>;

export function OneAddress({ answer }: { answer: Refused<"one"> | undefined }) {
  return (
    <Card>
      <CardHeader title={copy.oneTitle} />
      <CardContent>
        <Form method="post" className="flex flex-col gap-4">
          <TextField
            label={copy.address}
            error={answer?.errors.address}
            required
            type="email"
            name="address"
            autoComplete="off"
            defaultValue={answer?.values.address}
          />
          <TextField
            label={copy.note}
            hint={copy.noteHint}
            error={answer?.errors.note}
            required={false}
            name="note"
            maxLength={200}
            defaultValue={answer?.values.note}
          />
          <IntentButton intent="one" className="self-start" variant="primary">
            {copy.addOne}
          </IntentButton>
        </Form>
      </CardContent>
    </Card>
  );
}

/** Adds a pasted or uploaded list. Invalid lines are returned for correction; the rest is added. */
export function ManyAddresses({ answer }: { answer: Refused<"many"> | undefined }) {
  return (
    <Card>
      <CardHeader title={copy.manyTitle} />
      <CardContent className="flex flex-col gap-4">
        {answer && answer.wrong > 0 ? <ListErrors answer={answer} /> : null}
        <Form method="post" encType="multipart/form-data" className="flex flex-col gap-4">
          <Field label={copy.list} hint={copy.listHint} error={answer?.error}>
            {(control) => (
              <Textarea
                {...control}
                size="dense"
                name="list"
                rows={8}
                spellCheck={false}
                className="font-mono text-xs pointer-coarse:text-base"
                defaultValue={answer?.list}
              />
            )}
          </Field>
          <Field label={copy.file} hint={copy.fileHint}>
            {(control) => (
              <Input
                {...control}
                size="dense"
                type="file"
                name="file"
                accept=".csv,.txt,text/csv,text/plain"
                className="py-1.5 file:mr-3 file:border-0 file:bg-transparent file:font-medium file:text-primary"
              />
            )}
          </Field>
          <IntentButton intent="many" className="self-start" variant="primary">
            {copy.addMany}
          </IntentButton>
        </Form>
      </CardContent>
    </Card>
  );
}

function ListErrors({ answer: { added, wrong, first, kept } }: { answer: Refused<"many"> }) {
  return (
    <Banner kind="error">
      <p>
        {added.added > 0 ? copy.added(added.added) : null}{" "}
        {added.alreadyThere > 0 ? copy.alreadyThere(added.alreadyThere) : null} {copy.notAddresses(wrong)}{" "}
        {wrong > kept ? copy.firstKept(kept) : copy.allKept(wrong)}
      </p>
      <ul className="mt-2 flex flex-col gap-1">
        {first.map(({ line, text }, index) => (
          <li key={index} className="wrap-anywhere">
            <span className="text-muted-foreground">{copy.line(line)}:</span>{" "}
            <bdi className="font-mono text-xs">{text}</bdi>
          </li>
        ))}
        {wrong > first.length ? (
          <li className="text-muted-foreground">{copy.more(wrong - first.length)}</li>
        ) : null}
      </ul>
    </Banner>
  );
}
