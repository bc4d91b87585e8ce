import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import { ConfirmDialog } from "~/components/confirm-dialog";
import { type Column, Rows, timeColumn } from "~/components/data-table";
import { AnswerButton } from "~/components/inquiries/answer-button";
import { InquiryState } from "~/components/inquiries/inquiry-state";
import { ReplyActions } from "~/components/inquiries/reply-actions";
import { useIsWide } from "~/components/list-detail";
import { DeliveryDetail, DeliveryStateBadge } from "~/components/state-badge";
import { DownloadForm } from "~/components/download-form";
import { Notice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import { ListLink, TextLink } from "~/components/text-link";
import { Timestamp } from "~/components/timestamp";
import { Badge } from "~/components/ui/badge";
import { ButtonLink } from "~/components/button-link";
import { Card, CardFooter, CardHeader, CardTitle } from "~/components/ui/card";
import { personMessages as copy } from "~/content/person";
import { quarantineMessages } from "~/content/quarantine";
import { submissionMessages } from "~/content/submissions";
import { suppressionMessages } from "~/content/suppressions";
import { linkTo } from "~/http/list-state";
import type { PersonView } from "~/http/person-page.server";
import { paths } from "~/paths";

type PersonPageProps = {
  view: PersonView;
  /** The list that the page is beside, or leads back to. */
  parent: { to: string; name: string };
  /** True where the list stands beside the page on wide screens. */
  isBeside?: boolean;
};

/** The page of one address: all data stored about the person, with export and erasure. */
export function PersonPage({ view, parent, isBeside = false }: PersonPageProps) {
  const { id, address, name, page } = view;
  const isWide = useIsWide();
  return (
    <>
      <PageHeader
        title={name || address}
        parent={{ ...parent, preventScrollReset: isBeside && isWide }}
        state={
          <span className="wrap-anywhere">
            {copy.everythingAbout} <bdi className="font-mono text-foreground">{address}</bdi>
          </span>
        }
        actions={
          <>
            <DownloadForm action={paths.personExport(id)} label={copy.export} />
            <ButtonLink to={linkTo(page, { step: "erase" })} preventScrollReset variant="destructive">
              {copy.erase}
            </ButtonLink>
          </>
        }
      />
      <Notice className="mb-4" />
      <div className="@container">
        <div className="grid items-start gap-4 @min-[64rem]:grid-cols-[minmax(0,1fr)_22rem]">
          <div className="flex min-w-0 flex-col gap-4">
            <Forms view={view} />
            <Emails view={view} />
          </div>
          <EmailAndDevices view={view} />
        </div>
      </div>
      {view.isQuestionOpen ? <Question view={view} /> : null}
    </>
  );
}

function Question({ view }: { view: PersonView }) {
  const { page, address, forms, hasMoreForms, emailCount, suppression, copies } = view;
  return (
    <ConfirmDialog
      title={copy.question}
      closeTo={page}
      intent="erase"
      yes={copy.erase}
      no={copy.keep}
      isDestructive
    >
      <p className="border-l-2 pl-3 wrap-anywhere">
        <bdi className="font-mono text-xs">{address}</bdi>
      </p>
      <p>{copy.lost(forms.length, hasMoreForms)}</p>
      <p>
        {copy.lostEmails(emailCount)} {copy.lostElse}{" "}
        {suppression?.opted_out === 0 ? copy.suppressionGoes : null}
      </p>
      <p className="font-medium">{copy.staysTitle}</p>
      <ul className="flex list-disc flex-col gap-1.5 pl-5 text-muted-foreground">
        {suppression?.opted_out === 1 ? <li>{copy.staysOptOut}</li> : null}
        <li>{copy.staysActivity}</li>
        {copies ? <li>{copy.copies[copies]}</li> : null}
        <li>{copy.staysElsewhere}</li>
      </ul>
    </ConfirmDialog>
  );
}

type SectionProps = { id: string; title: string; className?: string; children: ReactNode };

function Section({ id, title, className, children }: SectionProps) {
  return (
    <Card role="region" aria-labelledby={id} className={className}>
      <CardHeader className="border-b">
        <CardTitle id={id}>{title}</CardTitle>
      </CardHeader>
      {children}
    </Card>
  );
}

type Submission = PersonView["forms"][number];

function Forms({ view: { forms, hasMoreForms, now } }: { view: PersonView }) {
  return (
    <Section id="sent" title={copy.formsTitle}>
      <ul className="divide-y">
        {forms.map((form) => (
          <li key={form.id} className="flex flex-col gap-3 px-4 py-4">
            <SubmittedForm form={form} now={now} />
          </li>
        ))}
      </ul>
      {hasMoreForms ? (
        <CardFooter>
          <p className="text-xs text-muted-foreground">{copy.newestForms(forms.length)}</p>
        </CardFooter>
      ) : null}
    </Section>
  );
}

function SubmittedForm({ form, now }: { form: Submission; now: number }) {
  const { kind, state, quarantine_reason, created_at, given_at } = form;
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="text-sm font-medium">{submissionMessages.forms[kind]}</h3>
        {state === "accepted" ? null : <Badge variant="warning">{copy.formStates[state]}</Badge>}
        <Timestamp at={created_at} now={now} exact className="ml-auto text-xs text-muted-foreground" />
      </div>
      {quarantine_reason ? (
        <p className="text-xs text-muted-foreground">
          {quarantineMessages.reasons[quarantine_reason].cell}.{" "}
          <TextLink to={paths.quarantine}>{copy.toQuarantine}</TextLink>
        </p>
      ) : null}
      <dl className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-sm">
        {form.fields.map(([name, value]) => (
          <FieldValue key={name} name={name}>
            <bdi className="whitespace-pre-wrap">{value}</bdi>
          </FieldValue>
        ))}
        <FieldValue name={copy.consent}>
          {given_at === null ? (
            <span className="text-muted-foreground">{copy.noConsent}</span>
          ) : (
            <>
              <bdi className="block max-w-[42.9em]">{form.wording}</bdi>
              <span className="block text-xs text-muted-foreground">
                {copy.consentDetails(form.wording_version ?? "", form.network ?? "")}
                {", "}
                <Timestamp at={given_at} now={now} />
              </span>
            </>
          )}
        </FieldValue>
      </dl>
      {kind === "contact-form" && state === "accepted" ? (
        <Form method="post" preventScrollReset className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <InquiryState inquiry={form} now={now} />
          <ReplyActions inquiry={form} />
          <AnswerButton inquiry={form} />
        </Form>
      ) : null}
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

type Email = PersonView["emails"][number];

function Emails({ view: { emails, emailCount, now } }: { view: PersonView }) {
  const columns: Column<Email>[] = [
    {
      name: copy.columns.send,
      width: "sm:w-[34%]",
      cell: ({ campaign_id, title }) => (
        <ListLink to={paths.outreachCampaign(campaign_id)} className="font-medium">
          <bdi className="line-clamp-2">{title || copy.untitled}</bdi>
        </ListLink>
      ),
    },
    {
      name: copy.columns.state,
      width: "sm:w-28",
      cell: ({ state }) => <DeliveryStateBadge state={state} />,
    },
    {
      name: copy.columns.detail,
      className: "text-muted-foreground",
      card: ({ detail, returned }) => (detail || returned ? "line" : "absent"),
      cell: (email) => <DeliveryDetail delivery={email} />,
    },
    timeColumn({ name: copy.columns.at, width: "sm:w-32", at: ({ updated_at }) => updated_at, now }),
  ];
  return (
    <Section id="emails" title={copy.emailsTitle} className="overflow-hidden">
      {emails.length === 0 ? (
        <p className="px-4 py-6 text-sm text-muted-foreground">
          {copy.noEmails} {copy.otherEmails}
        </p>
      ) : (
        <>
          <Rows caption={copy.emailsTitle} columns={columns} rows={emails} />
          <CardFooter className="py-2.5">
            <p className="text-xs text-muted-foreground tabular-nums">
              {copy.emailsShown(emails.length, emailCount)} {copy.otherEmails}
            </p>
          </CardFooter>
        </>
      )}
    </Section>
  );
}

function EmailAndDevices({ view }: { view: PersonView }) {
  const { confirmation, suppression, reports, outbox, now } = view;
  return (
    <Section id="email-and-devices" title={copy.emailAndDevicesTitle}>
      <dl className="flex flex-col gap-4 p-4 text-sm">
        <Fact name={copy.confirmation}>
          {confirmation ? (
            <>
              {copy.requested} <Timestamp at={confirmation.requested_at} now={now} />,{" "}
              {confirmation.confirmed_at === null ? (
                copy.notConfirmed
              ) : (
                <>
                  {copy.confirmed} <Timestamp at={confirmation.confirmed_at} now={now} />
                </>
              )}
              .
            </>
          ) : (
            copy.neverRequested
          )}
        </Fact>
        <Fact name={copy.suppression}>
          {suppression ? (
            <>
              <Badge variant="warning">{suppressionMessages.reasons[suppression.reason]}</Badge>{" "}
              <Timestamp at={suppression.created_at} now={now} />.{" "}
              {suppression.opted_out === 1 ? `${copy.optedOut}. ` : null}
              {suppression.detail ? (
                <bdi className="block text-muted-foreground">{suppression.detail}</bdi>
              ) : null}
              <TextLink to={paths.suppressions}>{copy.toSuppressions}</TextLink>
            </>
          ) : (
            copy.getsEmails
          )}
        </Fact>
        <Fact name={copy.reports}>
          {reports.length === 0 ? (
            copy.noReports
          ) : (
            <ul className="flex flex-col gap-1">
              {reports.map(({ type, reason, happened_at }, index) => (
                <li key={index}>
                  {copy.reportKinds[type]} <Timestamp at={happened_at} now={now} />
                  {reason ? <bdi className="block text-muted-foreground">{reason}</bdi> : null}
                </li>
              ))}
            </ul>
          )}
        </Fact>
        {outbox.length > 0 ? (
          <Fact name={copy.outboxName}>
            <TextLink to={paths.outbox}>{copy.outbox(outbox.length)}</TextLink>
          </Fact>
        ) : null}
        <Fact name={copy.devices}>{copy.devicesAreAnonymous}</Fact>
      </dl>
    </Section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-0.5">
      <dt className="text-xs text-muted-foreground">{name}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  );
}
