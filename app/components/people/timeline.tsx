import { Form } from "@remix-run/react";
import {
  Archive,
  Ban,
  ClipboardList,
  Mail,
  MailCheck,
  MailX,
  MessageSquare,
  Pencil,
  StickyNote,
  type LucideIcon,
} from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { AnswerButton } from "~/components/inquiries/answer-button";
import { InquiryState } from "~/components/inquiries/inquiry-state";
import { ReplyActions } from "~/components/inquiries/reply-actions";
import { IntentButton } from "~/components/intent-button";
import { DeliveryDetail, DeliveryStateBadge } from "~/components/state-badge";
import { ListLink, TextLink } from "~/components/text-link";
import { Timestamp } from "~/components/timestamp";
import { UndoButton, type UndoButtonProps } from "~/components/undo-button";
import { Badge } from "~/components/ui/badge";
import { Card, CardFooter, CardHeader, CardTitle } from "~/components/ui/card";
import { automaticMessages } from "~/content/automatic";
import { personMessages as copy } from "~/content/person";
import { quarantineMessages } from "~/content/quarantine";
import { submissionMessages } from "~/content/submissions";
import { suppressionMessages } from "~/content/suppressions";
import { linkTo } from "~/http/list-state";
import type { PersonView } from "~/http/person-page.server";
import { paths } from "~/paths";

const texts = copy.timeline;

type Entry = PersonView["timeline"][number];
type EntryOf<Type extends Entry["type"]> = Extract<Entry, { type: Type }>;

const ICONS: Record<Entry["type"], LucideIcon> = {
  form: ClipboardList,
  "campaign-email": Mail,
  email: Mail,
  "stored-email": Archive,
  report: MailX,
  suppression: Ban,
  confirmation: MailCheck,
  note: StickyNote,
  correction: Pencil,
};

/** Everything that happened to a person, newest first. @param props.children what stands above it: the form for a note. */
export function Timeline({ view, children }: { view: PersonView; children: ReactNode }) {
  const { timeline, hasMore } = view;
  return (
    <Card role="region" aria-labelledby="timeline">
      <CardHeader className="border-b">
        <CardTitle id="timeline">{texts.title}</CardTitle>
      </CardHeader>
      {children}
      <ol className="divide-y">
        {timeline.map((entry) => (
          <li
            key={entry.key}
            id={`entry-${entry.key}`}
            className="grid grid-cols-[1.25rem_minmax(0,1fr)] gap-x-3 px-4 py-3"
          >
            <EntryIcon entry={entry} />
            <div className="flex min-w-0 flex-col gap-2">
              <EntryContent entry={entry} view={view} />
            </div>
          </li>
        ))}
      </ol>
      <CardFooter className="flex-col items-start gap-1">
        {hasMore ? <p className="text-xs text-muted-foreground">{texts.cut}</p> : null}
        <p className="text-xs text-muted-foreground">{texts.kept}</p>
      </CardFooter>
    </Card>
  );
}

function EntryIcon({ entry }: { entry: Entry }) {
  const isInquiry = entry.type === "form" && entry.form.kind === "contact-form";
  const Icon = isInquiry ? MessageSquare : ICONS[entry.type];
  return <Icon aria-hidden className="mt-0.5 size-4 text-muted-foreground" />;
}

function EntryContent({ entry, view }: { entry: Entry; view: PersonView }) {
  switch (entry.type) {
    case "form":
      return <SubmittedForm entry={entry} view={view} />;
    case "campaign-email":
      return <CampaignEmail entry={entry} view={view} />;
    case "email":
      return <OtherEmail entry={entry} view={view} />;
    case "stored-email":
      return (
        <>
          <Head entry={entry} view={view} title={<bdi>{entry.subject || texts.noSubject}</bdi>}>
            <Badge variant="secondary">{texts.stored}</Badge>
          </Head>
          <StoredEmail id={entry.storedId} />
        </>
      );
    case "report":
      return (
        <>
          <Head entry={entry} view={view} title={texts.reports[entry.report.type]} />
          <Details former={entry.former}>{entry.report.reason}</Details>
        </>
      );
    case "suppression":
      return <Suppressed entry={entry} view={view} />;
    case "confirmation":
      return (
        <>
          <Head
            entry={entry}
            view={view}
            title={entry.isConfirmed ? texts.confirmed : texts.confirmationRequested}
          />
          <Details former={entry.former} />
        </>
      );
    case "note":
      return <Note entry={entry} view={view} />;
    case "correction":
      return <Correction entry={entry} view={view} />;
  }
}

type HeadProps = { entry: Entry; view: PersonView; title: ReactNode; children?: ReactNode };

/** What an entry is, its state and its time. */
function Head({ entry, view, title, children }: HeadProps) {
  return (
    <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
      <h3 className="min-w-0 text-sm font-medium wrap-anywhere">{title}</h3>
      {children}
      <Timestamp at={entry.at} now={view.now} exact className="ml-auto text-xs text-muted-foreground" />
    </div>
  );
}

/** Further words of an entry, such as a mail server's; and which former address it is about. */
function Details({ former, children }: { former?: string | undefined; children?: ReactNode }) {
  return (
    <>
      {children ? (
        <p className="text-sm wrap-anywhere text-muted-foreground">
          <bdi>{children}</bdi>
        </p>
      ) : null}
      {former ? (
        <p className="text-xs wrap-anywhere text-muted-foreground">
          {texts.former} <bdi className="font-mono">{former}</bdi>
        </p>
      ) : null}
    </>
  );
}

function SubmittedForm({ entry, view }: { entry: EntryOf<"form">; view: PersonView }) {
  const { form } = entry;
  const { kind, state, quarantine_reason, given_at } = form;
  const { now } = view;
  return (
    <>
      <Head entry={entry} view={view} title={submissionMessages.forms[kind]}>
        {state === "accepted" ? null : <Badge variant="warning">{copy.formStates[state]}</Badge>}
      </Head>
      {quarantine_reason ? (
        <p className="text-xs text-muted-foreground">
          {quarantineMessages.reasons[quarantine_reason].cell}.{" "}
          <TextLink to={paths.quarantine}>{copy.toQuarantine}</TextLink>
        </p>
      ) : null}
      <dl className="grid grid-cols-[5.5rem_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
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
                {form.importId === null ? (
                  copy.consentDetails(form.wording_version ?? "", form.network ?? "")
                ) : (
                  <>
                    {copy.importedFrom}{" "}
                    <TextLink to={paths.peopleImport(form.importId)}>{form.importedFrom}</TextLink>
                  </>
                )}
                {", "}
                <Timestamp at={given_at} now={now} />
              </span>
            </>
          )}
        </FieldValue>
      </dl>
      {kind === "contact-form" && state === "accepted" ? (
        <Form
          method="post"
          action={view.page}
          preventScrollReset
          className="flex flex-wrap items-center gap-x-3 gap-y-2"
        >
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

function CampaignEmail({ entry, view }: { entry: EntryOf<"campaign-email">; view: PersonView }) {
  const { email, former, storedId } = entry;
  const { campaign_id, title, state, detail, returned } = email;
  const name = (
    <>
      {texts.campaign}:{" "}
      <ListLink to={paths.outreachCampaign(campaign_id)}>
        <bdi>{title || copy.untitled}</bdi>
      </ListLink>
    </>
  );
  return (
    <>
      <Head entry={entry} view={view} title={name}>
        <DeliveryStateBadge state={state} />
      </Head>
      {(detail && !isStored(entry)) || returned ? <Result delivery={email} /> : null}
      <Details former={former} />
      <StoredEmail id={storedId} />
    </>
  );
}

/** Whether an email is in the outbox. Its detail says only that, which the link shows already. */
const isStored = ({ storedId }: Pick<EntryOf<"email">, "storedId">) => storedId !== undefined;

/** What became of an email. */
function Result(props: ComponentProps<typeof DeliveryDetail>) {
  return (
    <div className="text-sm wrap-anywhere text-muted-foreground">
      <DeliveryDetail {...props} />
    </div>
  );
}

function OtherEmail({ entry, view }: { entry: EntryOf<"email">; view: PersonView }) {
  const { email, former, storedId, automatic } = entry;
  return (
    <>
      <Head entry={entry} view={view} title={texts.emails[email.kind]}>
        <DeliveryStateBadge state={email.state} />
      </Head>
      {email.detail && !isStored(entry) ? <Result delivery={email} /> : null}
      <Details former={former}>{automatic?.subject}</Details>
      <StoredEmail id={storedId} />
      {automatic ? (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          {automatic.subject !== null && storedId === undefined ? (
            <TextLink to={paths.automaticSent(email.id)} reloadDocument className="text-xs">
              {texts.seeEmail}
            </TextLink>
          ) : null}
          {automatic.canResend ? (
            <Form method="post" action={view.page} preventScrollReset>
              <input type="hidden" name="email" value={email.id} />
              <input type="hidden" name="resend" value={view.resendId} />
              <IntentButton intent="resend" size="sm" aria-describedby={`entry-${entry.key}`}>
                {automaticMessages.resend}
              </IntentButton>
            </Form>
          ) : null}
        </div>
      ) : null}
    </>
  );
}

/** Leads to an email in the outbox, where it is kept. */
function StoredEmail({ id }: { id: string | undefined }) {
  return id === undefined ? null : (
    <TextLink to={paths.outboxEmail(id)} className="self-start text-xs">
      {texts.seeEmail}
    </TextLink>
  );
}

function Suppressed({ entry, view }: { entry: EntryOf<"suppression">; view: PersonView }) {
  const { suppression, former } = entry;
  return (
    <>
      <Head entry={entry} view={view} title={texts.suppressed}>
        <Badge variant="warning">{suppressionMessages.reasons[suppression.reason]}</Badge>
      </Head>
      <Details former={former}>{suppression.detail}</Details>
    </>
  );
}

function Note({ entry, view }: { entry: EntryOf<"note">; view: PersonView }) {
  const { id, text, author, isRemovable } = entry.note;
  return (
    <>
      <Head
        entry={entry}
        view={view}
        title={
          <>
            {texts.note}{" "}
            <span className="text-xs font-normal text-muted-foreground">
              {texts.by} <bdi>{author}</bdi>
            </span>
          </>
        }
      />
      <p className="max-w-[60ch] text-sm wrap-anywhere whitespace-pre-wrap">
        <bdi>{text}</bdi>
      </p>
      {isRemovable ? (
        <TextLink
          to={linkTo(view.page, { step: "remove-note", note: id })}
          preventScrollReset
          className="self-start text-xs text-muted-foreground"
          aria-describedby={`entry-${entry.key}`}
        >
          {texts.removeNote}
        </TextLink>
      ) : null}
    </>
  );
}

function Correction({ entry, view }: { entry: EntryOf<"correction">; view: PersonView }) {
  const { fields, changes, former_email, author, reason, isMerge, isUndoable, undone_at } = entry.correction;
  const title = isMerge ? texts.merged : texts.corrected(fields.map((field) => texts.fields[field]));
  return (
    <>
      <Head
        entry={entry}
        view={view}
        title={
          <>
            {title}{" "}
            <span className="text-xs font-normal text-muted-foreground">
              {texts.by} <bdi>{author}</bdi>
            </span>
          </>
        }
      >
        {undone_at === null ? null : <Badge variant="secondary">{texts.undone}</Badge>}
      </Head>
      <dl className="grid grid-cols-[5.5rem_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
        <FieldValue name={texts.reason}>
          <bdi>{reason}</bdi>
        </FieldValue>
        {fields.map((field) => {
          const change = changes[field];
          return change ? (
            <FieldValue key={field} name={copy.edit[field]}>
              <del className="text-muted-foreground">
                <bdi>{change[0] || texts.empty}</bdi>
              </del>{" "}
              <bdi>{change[1] || texts.empty}</bdi>
            </FieldValue>
          ) : null;
        })}
        {/* Once it cannot be undone, the old values are forgotten but for the address. */}
        {former_email && !changes.email ? (
          <FieldValue name={texts.formerAddress}>
            <bdi>{former_email}</bdi>
          </FieldValue>
        ) : null}
      </dl>
      {isUndoable ? (
        <UndoCorrection id={entry.key} page={view.page} describedBy={`entry-${entry.key}`} />
      ) : null}
    </>
  );
}

type UndoCorrectionProps = Pick<UndoButtonProps, "takesFocus"> & {
  id: string;
  page: string;
  /** Id of the element that describes the correction. */
  describedBy?: string;
};

/** Undoes a correction. Loses nothing, so it needs no confirmation. */
export function UndoCorrection({ id, page, describedBy, takesFocus = false }: UndoCorrectionProps) {
  return (
    <Form method="post" action={page} preventScrollReset>
      <input type="hidden" name="correction" value={id} />
      <UndoButton size="sm" aria-describedby={describedBy} takesFocus={takesFocus}>
        {texts.undo}
      </UndoButton>
    </Form>
  );
}
