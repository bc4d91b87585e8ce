import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { Timestamp } from "~/components/timestamp";
import { Badge } from "~/components/ui/badge";
import { Card, CardFooter } from "~/components/ui/card";
import { capitalize } from "~/lib/capitalize";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";
import type { TypedColumn } from "~/services/signups/typed-columns";
import type { PersonView } from "./person.server";

const copy = operatorMessages.person;

type Submission = PersonView["forms"][number];

type FormsProps = { forms: readonly Submission[]; hasMore: boolean; now: number };

/** Lists every form they sent, in full, with its consent. */
export function Forms({ forms, hasMore, now }: FormsProps) {
  return (
    <Card role="region" aria-labelledby="sent">
      <h2 id="sent" className="border-b px-4 py-3 text-sm font-semibold">
        {copy.formsTitle}
      </h2>
      <ul className="divide-y">
        {forms.map((form) => (
          <li key={form.id} className="flex flex-col gap-3 px-4 py-4">
            <SubmittedForm form={form} now={now} />
          </li>
        ))}
      </ul>
      {hasMore ? (
        <CardFooter>
          <p className="text-xs text-muted-foreground">{copy.newestForms(forms.length)}</p>
        </CardFooter>
      ) : null}
    </Card>
  );
}

function SubmittedForm({ form, now }: { form: Submission; now: number }) {
  const { kind, state, quarantine_reason, created_at, given_at } = form;
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="text-sm font-medium">{operatorMessages.submissions.forms[kind]}</h3>
        {state === "accepted" ? null : <Badge variant="warning">{copy.formStates[state]}</Badge>}
        <Timestamp at={created_at} now={now} exact className="ml-auto text-xs text-muted-foreground" />
      </div>
      {quarantine_reason ? (
        <p className="text-xs text-muted-foreground">
          {operatorMessages.quarantine.reasons[quarantine_reason].cell}.{" "}
          <Link to={paths.quarantine} className="text-primary underline underline-offset-4">
            {copy.toQuarantine}
          </Link>
        </p>
      ) : null}
      <dl className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-sm">
        {listFilledFields(form).map(([name, value]) => (
          <FieldValue key={name} name={name}>
            <bdi className="whitespace-pre-wrap">{value}</bdi>
          </FieldValue>
        ))}
        <FieldValue name={copy.consent}>
          {given_at === null ? (
            <span className="text-muted-foreground">{copy.noConsent}</span>
          ) : (
            <>
              <bdi className="block max-w-[68ch]">{form.wording}</bdi>
              <span className="block text-xs text-muted-foreground">
                {copy.consentOf(form.wording_version ?? "", form.network ?? "")}
                {", "}
                <Timestamp at={given_at} now={now} />
              </span>
            </>
          )}
        </FieldValue>
      </dl>
    </>
  );
}

function FieldValue({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="col-span-2 grid grid-cols-subgrid">
      <dt className="text-xs leading-5 text-muted-foreground">{name}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  );
}

/** Returns the fields that are not empty. */
function listFilledFields({
  name,
  email,
  company,
  role,
  inquiry_type,
  message,
}: Submission): [string, string][] {
  const { fields } = copy;
  const all: Record<TypedColumn, [string, string]> = {
    name: [fields.name, name],
    email: [copy.address, email],
    company: [fields.company, company],
    role: [fields.role, capitalize(role)],
    inquiry_type: [fields.inquiryType, capitalize(inquiry_type)],
    message: [fields.message, message],
  };
  return Object.values(all).filter(([, value]) => value !== "");
}
