import { Form, useNavigation } from "@remix-run/react";
import type { ReactNode } from "react";
import { CurrentPasswordField } from "~/components/current-password-field";
import { EmailStateLine } from "~/components/email-state-line";
import { FormField } from "~/components/form-field";
import { IntentButton } from "~/components/intent-button";
import { RefusalBanner } from "~/components/notice";
import { TextLink } from "~/components/text-link";
import { Timestamp } from "~/components/timestamp";
import { Input } from "~/components/ui/input";
import { Item, ItemActions, ItemContent, ItemDescription, ItemTitle } from "~/components/ui/item";
import { NativeSelect } from "~/components/ui/native-select";
import { accountMessages as copy } from "~/content/account";
import { toMaxLength } from "~/lib/max-length";
import { paths } from "~/paths";
import type { AccountView } from "./account-view.server";
import type { actOnAccount } from "./actions.server";

type Answer = Exclude<Awaited<ReturnType<typeof actOnAccount>>, Response>["data"];

interface Refused {
  /** The refusal of the section's form, if it was sent last. */
  refused: Answer | undefined;
}

interface SectionProps extends Refused {
  account: AccountView;
}

export function NameSection({ account: { fullName }, refused }: SectionProps) {
  return (
    <Section id="name" {...copy.name}>
      <SectionForm intent="name" button={copy.name.save} refused={refused}>
        <FormField label={copy.name.field} error={refused?.errors.fullName}>
          {(control) => (
            <Input
              {...control}
              key={fullName}
              required
              name="fullName"
              maxLength={toMaxLength(200)}
              autoComplete="name"
              defaultValue={refused?.values.fullName ?? fullName}
            />
          )}
        </FormField>
      </SectionForm>
    </Section>
  );
}

export function EmailSection({ account, refused }: SectionProps) {
  const { email, pending, isProtected } = account;
  const { errors, values } = refused ?? {};
  return (
    <Section id="email" {...copy.email}>
      <p>
        {copy.email.current} <bdi className="font-medium wrap-anywhere">{email}</bdi>.
        {isProtected ? ` ${copy.email.protected}` : null}
      </p>
      {pending ? <PendingChange account={account} pending={pending} /> : null}
      {isProtected ? null : (
        // A change that is asked for or withdrawn remounts the form, and so empties it; one that is refused does not.
        <SectionForm
          key={`${email} ${pending?.email} ${pending?.expiresAt}`}
          intent="email"
          button={copy.email.send}
          busyButton={copy.email.sending}
          refused={refused}
        >
          <FormField label={copy.email.field} hint={copy.email.hint} error={errors?.email}>
            {(control) => (
              <Input
                {...control}
                required
                type="email"
                name="email"
                maxLength={254}
                autoComplete="email"
                defaultValue={values?.email}
              />
            )}
          </FormField>
          <CurrentPasswordField label={copy.email.password} email={email} error={errors?.password} />
        </SectionForm>
      )}
    </Section>
  );
}

interface PendingChangeProps {
  account: AccountView;
  pending: NonNullable<AccountView["pending"]>;
}

/** The change that waits for its link, with what became of the email. */
function PendingChange({ account, pending }: PendingChangeProps) {
  const { role, hasOutbox, now } = account;
  const { outbox } = copy.email;
  return (
    <Item variant="outline" size="sm" className="items-start">
      <ItemContent className="basis-60 gap-1">
        <ItemTitle>
          <bdi>{pending.email}</bdi> {copy.email.pending}
        </ItemTitle>
        <ItemDescription>
          {copy.email.expires} <Timestamp at={pending.expiresAt} now={now} />.
        </ItemDescription>
        {hasOutbox ? (
          <ItemDescription>
            {role === "superadmin" ? (
              <>
                {outbox.superadmin} <TextLink to={paths.outbox}>{outbox.link}</TextLink>.
              </>
            ) : (
              outbox.admin
            )}
          </ItemDescription>
        ) : (
          <div className="flex gap-1.5">
            <span className="shrink-0">{copy.email.delivery}:</span>
            <EmailStateLine state={pending.delivery} />
          </div>
        )}
      </ItemContent>
      <ItemActions>
        <Form method="post" action={paths.account}>
          <IntentButton intent="withdraw-email">{copy.email.withdraw}</IntentButton>
        </Form>
      </ItemActions>
    </Item>
  );
}

export function TimeZoneSection({ account: { timeZone, timeZones, timeThere }, refused }: SectionProps) {
  const error = refused?.errors.timeZone;
  return (
    <Section id="time-zone" {...copy.timeZone}>
      <SectionForm intent="time-zone" button={copy.timeZone.save} refused={refused}>
        <FormField label={copy.timeZone.field} hint={copy.timeZone.now(timeThere)} error={error}>
          {(control) => (
            <NativeSelect {...control} key={timeZone} name="timeZone" defaultValue={timeZone}>
              {timeZones.map((zone) => (
                <option key={zone}>{zone}</option>
              ))}
            </NativeSelect>
          )}
        </FormField>
      </SectionForm>
    </Section>
  );
}

interface SectionLayoutProps {
  id: string;
  title: string;
  about: string;
  children: ReactNode;
}

/** What can be changed, beside what it is for. */
function Section({ id, title, about, children }: SectionLayoutProps) {
  return (
    <section
      id={id}
      className="grid scroll-mt-16 gap-x-8 gap-y-4 p-4 md:grid-cols-[minmax(0,13rem)_minmax(0,1fr)] lg:p-6"
    >
      <div>
        <h2 className="font-semibold">{title}</h2>
        <p className="mt-1 text-xs text-muted-foreground">{about}</p>
      </div>
      <div className="flex min-w-0 flex-col gap-4">{children}</div>
    </section>
  );
}

interface SectionFormProps extends Refused {
  intent: string;
  button: string;
  busyButton?: string;
  children: ReactNode;
}

function SectionForm({ intent, button, busyButton = button, refused, children }: SectionFormProps) {
  const busy = useNavigation().formData?.get("intent") === intent;
  return (
    <Form method="post" action={paths.account} className="flex max-w-sm flex-col gap-4">
      {refused?.message && !busy ? <RefusalBanner refusal={refused} /> : null}
      {children}
      <IntentButton intent={intent} variant="default" disabled={busy} className="self-start">
        {busy ? busyButton : button}
      </IntentButton>
    </Form>
  );
}
