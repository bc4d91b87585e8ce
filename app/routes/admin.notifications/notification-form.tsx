import { Form, useNavigation } from "@remix-run/react";
import { useState, type FormEvent } from "react";
import { Field } from "~/components/field";
import { IntentButton } from "~/components/ui/button";
import { Card, CardContent, CardFooter, CardHeader, CardTitle } from "~/components/ui/card";
import { Input } from "~/components/ui/input";
import { Textarea } from "~/components/ui/textarea";
import { cn } from "~/lib/class-names";
import type { FieldErrors } from "~/lib/parse-form";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";
import { payloadBytes } from "~/services/broadcast/message";
import { MAX_PAYLOAD_BYTES } from "~/services/push/push-sender";
import type { PushSettings } from "~/services/push/push-sender";
import { AudienceFields } from "./audience-fields";
import type { NotificationValues } from "./fields";
import type { NotificationsView } from "./notifications-view.server";
import { TestOnThisBrowser } from "./test-on-this-browser";

const { notifications: copy, platform } = operatorMessages;

type NotificationFormProps = Pick<NotificationsView, "companies" | "sizes" | "forPlatform"> & {
  id: string;
  values: NotificationValues;
  errors: FieldErrors<keyof NotificationValues & string>;
  pushSettings: PushSettings;
};

/** What is sent, and to whom. Its id becomes the broadcast's, so that it is sent once however often it is submitted. */
export function NotificationForm(props: NotificationFormProps) {
  const { id, values, errors, companies, sizes, forPlatform, pushSettings } = props;
  const [bytes, setBytes] = useState(() => payloadBytes(values));
  const isSending = useNavigation().formData?.get("intent") === "send";

  const linkHint = forPlatform.length > 0 ? `${copy.linkHint} ${platform.broadcast.noLink}` : copy.linkHint;

  const count = ({ currentTarget }: FormEvent<HTMLFormElement>) => {
    const fields = new FormData(currentTarget);
    const text = (name: string) => String(fields.get(name) ?? "").trim();
    setBytes(payloadBytes({ title: text("title"), body: text("body"), link: text("link") }));
  };

  return (
    <Card>
      <CardHeader>
        <CardTitle>{copy.form}</CardTitle>
      </CardHeader>
      <Form method="post" action={paths.notifications} onInput={count} preventScrollReset>
        <input type="hidden" name="id" value={id} />
        {/* Enter in a field presses the form's first button: the question comes after it. */}
        <button type="submit" name="intent" value="send" hidden aria-hidden tabIndex={-1} />
        <CardContent className="grid gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
          <AudienceFields
            values={values}
            errors={errors}
            companies={companies}
            sizes={sizes}
            forPlatform={forPlatform}
          />
          <div className="flex min-w-0 flex-col gap-4">
            <Field label={copy.notificationTitle} required error={errors.title}>
              {(control) => (
                <Input {...control} size="dense" name="title" maxLength={400} defaultValue={values.title} />
              )}
            </Field>
            <Field label={copy.message} required error={errors.body}>
              {(control) => (
                <Textarea {...control} size="dense" name="body" rows={4} defaultValue={values.body} />
              )}
            </Field>
            <Field label={copy.link} required={false} hint={linkHint} error={errors.link}>
              {(control) => (
                <Input
                  {...control}
                  size="dense"
                  name="link"
                  maxLength={1000}
                  placeholder="/"
                  autoComplete="off"
                  defaultValue={values.link}
                />
              )}
            </Field>
            <p className="text-xs text-muted-foreground">
              <output className={cn("tabular-nums", bytes > MAX_PAYLOAD_BYTES && "font-medium text-danger")}>
                {copy.bytes(bytes, MAX_PAYLOAD_BYTES)}.
              </output>{" "}
              {copy.bytesHint}
            </p>
          </div>
        </CardContent>
        <CardFooter className="flex-wrap justify-between gap-3">
          <TestOnThisBrowser settings={pushSettings} />
          <IntentButton intent="send" disabled={isSending} className="ml-auto self-start" variant="primary">
            {isSending ? copy.sending : copy.send}
          </IntentButton>
        </CardFooter>
      </Form>
    </Card>
  );
}
