import { Form } from "@remix-run/react";
import { Field } from "~/components/field";
import { IntentButton } from "~/components/ui/button";
import { Card, CardContent, CardHeader, CardTitle } from "~/components/ui/card";
import { Input } from "~/components/ui/input";
import { operatorMessages } from "~/content/operator-messages";
import type { RefusedAddress } from "./actions.server";

const copy = operatorMessages.suppressions.addPage;

export function OneAddress({ answer }: { answer: RefusedAddress | undefined }) {
  return (
    <Card>
      <CardHeader>
        <CardTitle>{copy.oneTitle}</CardTitle>
      </CardHeader>
      <CardContent>
        <Form method="post" className="flex flex-col gap-4">
          <Field label={copy.address} error={answer?.errors.address} required>
            {(control) => (
              <Input
                {...control}
                size="dense"
                type="email"
                name="address"
                autoComplete="off"
                defaultValue={answer?.values.address}
              />
            )}
          </Field>
          <Field label={copy.note} hint={copy.noteHint} error={answer?.errors.note} required={false}>
            {(control) => (
              <Input
                {...control}
                size="dense"
                name="note"
                maxLength={200}
                defaultValue={answer?.values.note}
              />
            )}
          </Field>
          <IntentButton intent="one" className="self-start" variant="primary">
            {copy.addOne}
          </IntentButton>
        </Form>
      </CardContent>
    </Card>
  );
}
