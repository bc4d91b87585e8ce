import { Form, useNavigation } from "@remix-run/react";
import { Send } from "lucide-react";
import { useEffect, useId, useRef } from "react";
import { Banner } from "~/components/banner";
import { CopyableCode } from "~/components/copyable-code";
import { ColleagueFields } from "~/components/users/colleague-fields";
import { IntentButton } from "~/components/intent-button";
import { ExactTime } from "~/components/timestamp";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "~/components/ui/card";
import { Checkbox } from "~/components/ui/checkbox";
import { Field, FieldContent, FieldDescription, FieldLabel } from "~/components/ui/field";
import { formatEmailState } from "~/content/email-state";
import { invitationMessages as copy } from "~/content/invitations";
import type { InvitedAnswer, RefusedInvitation } from "~/http/invitation-form.server";
import { linkTo, type UrlState } from "~/http/list-state";
import { paths } from "~/paths";

interface InvitationFormProps {
  refused: RefusedInvitation | undefined;
  /** The order and the page of the accounts under it. */
  list: UrlState;
}

/** Invites a colleague by a link, for superadmins only. */
export function InvitationForm({ refused, list }: InvitationFormProps) {
  const isInviting = useNavigation().formData?.get("intent") === "invite";
  const titleId = useId();
  const fields = refused?.fields;
  return (
    <Card role="region" aria-labelledby={titleId}>
      <CardHeader>
        <CardTitle id={titleId}>{copy.title}</CardTitle>
        <CardDescription>{copy.note}</CardDescription>
      </CardHeader>
      <CardContent>
        <Form
          method="post"
          action={linkTo(paths.users, list)}
          className="grid items-start gap-4 md:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto]"
        >
          <ColleagueFields labels={copy} fields={fields} />
          <IntentButton
            intent="invite"
            disabled={isInviting}
            className="max-md:order-last max-md:justify-self-start md:mt-6.5"
            variant="default"
          >
            <Send aria-hidden />
            {isInviting ? copy.inviting : copy.invite}
          </IntentButton>
          <EmailChoice isChecked={fields?.isEmailed ?? true} />
        </Form>
      </CardContent>
    </Card>
  );
}

/** Chooses whether a link is also sent by email. */
export function EmailChoice({ isChecked = true }: { isChecked?: boolean }) {
  const id = useId();
  return (
    <Field orientation="horizontal" className="md:col-span-3">
      <Checkbox
        id={id}
        name="isEmailed"
        defaultChecked={isChecked}
        aria-describedby={`${id}-hint`}
        className="mt-0.5"
      />
      <FieldContent>
        <FieldLabel htmlFor={id}>{copy.isEmailed}</FieldLabel>
        <FieldDescription id={`${id}-hint`}>{copy.isEmailedHint}</FieldDescription>
      </FieldContent>
    </Field>
  );
}

/** Shows a link once. It stays until the next page, because handing it over takes a while. */
export function InvitationBanner({ issued }: { issued: InvitedAnswer }) {
  const { url, fullName, email, expiresAt, delivery } = issued;
  const banner = useRef<HTMLDivElement>(null);
  useEffect(() => banner.current?.focus(), []);
  return (
    <Banner ref={banner} kind="success" title={<bdi>{copy.issued(fullName, email)}</bdi>}>
      <CopyableCode text={url} />
      <p>
        {copy.issuedUntil} <ExactTime at={expiresAt} />. {copy.issuedAdvice}
      </p>
      <p className="wrap-anywhere">
        {copy.columns.email}: {formatEmailState(delivery)}
      </p>
    </Banner>
  );
}
