import { Form, useNavigation } from "@remix-run/react";
import { type FormEvent, useId, useRef, useState } from "react";
import { Field, FieldError } from "~/components/field";
import { TextField } from "~/components/text-field";
import { IntentButton } from "~/components/ui/button";
import { Card, CardContent, CardFooter, CardHeader } from "~/components/ui/card";
import { Select } from "~/components/ui/select";
import { Textarea } from "~/components/ui/textarea";
import { notificationMessages as copy } from "~/content/notifications";
import { platformMessages as platform } from "~/content/platform";
import { cn } from "~/lib/class-names";
import type { FieldErrors } from "~/lib/parse-form";
import { paths } from "~/paths";
import { AUDIENCES, getPayloadBytes } from "~/services/broadcast/message";
import { MAX_PAYLOAD_BYTES } from "~/services/push/push-sender";
import type { NotificationValues } from "./fields";
import type { NotificationsView } from "./notifications-view.server";
import { TestOnThisBrowser } from "./test-on-this-browser";

interface NotificationFormProps {
  view: NotificationsView;
  id: string;
  values: NotificationValues;
  errors: FieldErrors<keyof NotificationValues & string>;
}

/** The form of a notification. Its id becomes the broadcast's, so that repeated submissions send once. */
export function NotificationForm({ view, id, values, errors }: NotificationFormProps) {
  const [bytes, setBytes] = useState(() => getPayloadBytes(values));
  const isSending = useNavigation().formData?.get("intent") === "send";

  const linkHint =
    view.forPlatform.length > 0 ? `${copy.linkHint} ${platform.broadcast.noLink}` : copy.linkHint;

  const count = ({ currentTarget }: FormEvent<HTMLFormElement>) => {
    const fields = new FormData(currentTarget);
    const text = (name: string) => String(fields.get(name) ?? "").trim();
    setBytes(getPayloadBytes({ title: text("title"), body: text("body"), link: text("link") }));
  };

  return (
    <Card>
      <CardHeader title={copy.form} />
      <Form method="post" action={paths.notifications} onInput={count} preventScrollReset>
        <input type="hidden" name="id" value={id} />
        {/* Enter in a field presses the form's first button: the confirmation step follows it. */}
        <button type="submit" name="intent" value="send" hidden aria-hidden tabIndex={-1} />
        <CardContent className="grid gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
          <AudienceFields view={view} values={values} errors={errors} />
          <div className="flex min-w-0 flex-col gap-4">
            <TextField
              label={copy.notificationTitle}
              required
              error={errors.title}
              name="title"
              maxLength={400}
              defaultValue={values.title}
            />
            <Field label={copy.message} required error={errors.body}>
              {(control) => (
                <Textarea {...control} size="dense" name="body" rows={4} defaultValue={values.body} />
              )}
            </Field>
            <TextField
              label={copy.link}
              required={false}
              hint={linkHint}
              error={errors.link}
              name="link"
              maxLength={1000}
              placeholder="/"
              autoComplete="off"
              defaultValue={values.link}
            />
            <p className="text-xs text-muted-foreground">
              <output className={cn("tabular-nums", bytes > MAX_PAYLOAD_BYTES && "font-medium text-danger")}>
                {copy.bytes(bytes, MAX_PAYLOAD_BYTES)}.
              </output>{" "}
              {copy.bytesHint}
            </p>
          </div>
        </CardContent>
        <CardFooter className="flex-wrap justify-between gap-3">
          <TestOnThisBrowser settings={view.pushSettings} />
          <IntentButton intent="send" disabled={isSending} className="ml-auto self-start" variant="primary">
            {isSending ? copy.sending : copy.send}
          </IntentButton>
        </CardFooter>
      </Form>
    </Card>
  );
}

/**
 * Selects the audience. Companies are shown for the application audience only, by CSS; changing the audience
 * resets them. Without JavaScript the server ignores a company that does not belong to the audience.
 */
function AudienceFields({ view, values, errors }: Omit<NotificationFormProps, "id">) {
  const { companies, sizes, forPlatform } = view;
  const company = useRef<HTMLSelectElement>(null);
  const errorId = useId();
  const formatSize = (audience: (typeof AUDIENCES)[number]) => {
    const own = copy.size(sizes[audience]);
    if (!forPlatform.includes(audience)) return own;
    return platform.broadcast.size(audience === "application" ? undefined : own);
  };
  const resetCompany = () => {
    if (company.current) company.current.value = "";
  };
  return (
    <fieldset className="group/audience min-w-0">
      <legend className="mb-1.5 text-sm font-medium">{copy.audience}</legend>
      <div className="divide-y rounded-md border" onChange={resetCompany}>
        {AUDIENCES.map((audience) => (
          <label
            key={audience}
            className="flex min-h-11 items-center gap-3 px-3 py-2 first:rounded-t-md last:rounded-b-md hover:bg-muted has-checked:bg-primary-surface"
          >
            <input
              type="radio"
              name="audience"
              value={audience}
              required
              aria-describedby={errors.audience ? errorId : undefined}
              defaultChecked={values.audience === audience}
              className="size-4 shrink-0 accent-primary"
            />
            <span className="min-w-0 flex-1">{copy.audiences[audience]}</span>
            <span className="shrink-0 text-xs text-muted-foreground tabular-nums">
              {formatSize(audience)}
            </span>
          </label>
        ))}
      </div>
      {errors.audience ? (
        <FieldError id={errorId} className="mt-1.5 group-has-[input[type=radio]:checked]/audience:hidden">
          {errors.audience}
        </FieldError>
      ) : null}
      <div className="mt-4 hidden group-has-[input[value=application]:checked]/audience:block">
        <Field label={copy.company} hint={companies ? undefined : copy.companiesFailed} error={errors.tenant}>
          {(control) => (
            <Select {...control} ref={company} size="dense" name="tenant" defaultValue={values.tenant}>
              <option value="">{copy.allCompanies}</option>
              {companies?.map(({ id, name, domain }) => (
                <option key={id} value={id}>
                  {copy.companyName(name, domain)}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
    </fieldset>
  );
}
