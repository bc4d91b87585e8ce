import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, useActionData, useLoaderData, type ShouldRevalidateFunction } from "@remix-run/react";
import { useState } from "react";
import { Banner } from "~/components/banner";
import { MessageField } from "~/components/campaign/message-field";
import { DataTable, timeColumn, type Column } from "~/components/data-table";
import { EmailPreview } from "~/components/email-preview";
import { EmptyList } from "~/components/empty-list";
import { IntentButton } from "~/components/intent-button";
import { keepForm } from "~/components/keep-form";
import { Notice, useNotice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import { PersonLink } from "~/components/person-link";
import { DeliveryDetail, DeliveryStateBadge } from "~/components/state-badge";
import { TextField } from "~/components/text-field";
import { TextLink } from "~/components/text-link";
import { Timestamp } from "~/components/timestamp";
import { Badge } from "~/components/ui/badge";
import { Card, CardAction, CardContent, CardHeader, CardTitle } from "~/components/ui/card";
import { backOfficeTitle } from "~/components/use-brand";
import { useLast } from "~/components/use-last";
import { automaticMessages as copy } from "~/content/automatic";
import { readPage, readPlace, toPageLinks } from "~/http/list-state";
import { seeOther } from "~/http/redirects.server";
import { FIELDS_OF_RULE, isAutomaticRule } from "~/lib/automatic-rules";
import { toMaxLength } from "~/lib/max-length";
import { listFieldsWithoutDefault } from "~/lib/merge-fields";
import { paths } from "~/paths";
import { access, automaticEmails, automaticRules } from "~/services/container.server";
import { isSettled } from "~/services/mail/delivery/delivery-result";
import { newId } from "~/services/service-deps";
import { actOnRule } from "./actions.server";

const PAGE_SIZE = 25;

export const meta: MetaFunction<typeof loader> = ({ data: view, matches }) => [
  { title: backOfficeTitle(matches, view ? copy.rules[view.rule].name : copy.title) },
];

export { passActionHeaders as headers } from "~/http/action-result.server";

/** `?before=` and `&after=` are pages of its emails. */
export async function loader({ request, params: { rule = "" } }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  if (!isAutomaticRule(rule)) throw seeOther(paths.automatic);
  const { searchParams } = new URL(request.url);
  const [{ isOn, content, textId, saved }, email, counts, emails] = await Promise.all([
    automaticRules.get(rule),
    automaticEmails.previewText(rule),
    automaticEmails.countEmails(),
    readPage(readPlace(searchParams), PAGE_SIZE, (page) => automaticEmails.listEmails(rule, page)),
  ]);
  return {
    rule,
    isOn,
    content,
    textId,
    saved,
    withoutDefault: listFieldsWithoutDefault(`${content.subject}\n${content.message}`),
    email,
    counts: counts[rule],
    emails,
    /** By which the forms that send an email again send it once. */
    resendId: newId(),
    now: Date.now(),
  };
}

export async function action({ request, params: { rule = "" } }: ActionFunctionArgs) {
  const operator = await access.requireAccount(request);
  return isAutomaticRule(rule) ? actOnRule(rule, request, operator) : seeOther(paths.automatic);
}

export const clientAction = keepForm(({ values: { intent, base } }) =>
  // A save that follows a refused one still overwrites what that one showed.
  intent === "save" ? { form: "text", base } : {},
);

/** A refused save over a colleague's text loads that text for the preview. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ actionStatus = 200 }) =>
  actionStatus < 400 || actionStatus === 409;

type RuleView = ReturnType<typeof useLoaderData<typeof loader>>;

/** One rule: its text, its email as it is sent, and what became of each. */
export default function Rule() {
  const view = useLoaderData<typeof loader>();
  const { rule, isOn, counts } = view;
  const isSaved = useNotice(["automatic-saved"]) !== undefined;
  const savedText = useLast(isSaved ? view.textId : undefined);
  return (
    <>
      <PageHeader
        title={copy.rules[rule].name}
        parent={{ to: paths.automatic, name: copy.title }}
        state={copy.rules[rule].when}
        actions={
          <Form method="post" className="flex items-center gap-3">
            <Badge variant={isOn ? "success" : "secondary"}>{copy.states[isOn ? "on" : "off"]}</Badge>
            <IntentButton intent={isOn ? "turn-off" : "turn-on"} variant={isOn ? "outline" : "default"}>
              {isOn ? copy.turnOff : copy.turnOn}
            </IntentButton>
          </Form>
        }
      />
      <Notice className="mb-4" />
      <div className="flex flex-col gap-4">
        <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-2">
          <RuleText key={`${rule} ${savedText}`} view={view} />
          <SavedEmail view={view} />
        </div>
        <div className="flex flex-col gap-2">
          <h2 className="text-base font-semibold">{copy.historyTitle}</h2>
          {copy.counts(counts) ? (
            <p className="text-sm text-muted-foreground">{copy.counts(counts)}</p>
          ) : null}
          <History view={view} />
        </div>
      </div>
    </>
  );
}

/**
 * The text's form. It keeps what was typed while the page reloads its data; a new key starts it again from the saved
 * text after a save.
 */
function RuleText({ view }: { view: RuleView }) {
  const { rule, isOn, content, textId, saved, withoutDefault, now } = view;
  const answer = useActionData<typeof action>();
  const refused = answer?.form === "text" ? answer : undefined;
  const [base] = useState(textId);
  const values = refused?.values ?? content;
  return (
    <Card>
      <CardHeader>
        <CardTitle asChild>
          <h2>{copy.textTitle}</h2>
        </CardTitle>
      </CardHeader>
      <CardContent>
        <Form method="post" className="flex flex-col gap-4">
          <input type="hidden" name="base" value={refused?.base ?? base} />
          {withoutDefault.length > 0 ? (
            <Banner kind="info">{copy.withoutDefault(withoutDefault)}</Banner>
          ) : null}
          <TextField
            label={copy.subject}
            error={refused?.errors.subject}
            required
            name="subject"
            maxLength={toMaxLength(200)}
            defaultValue={values.subject}
          />
          <MessageField
            label={copy.message}
            error={refused?.errors.message}
            values={values}
            fields={FIELDS_OF_RULE[rule]}
          />
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <IntentButton intent="save" variant="default">
              {copy.save}
            </IntentButton>
            <p className="text-xs text-muted-foreground">
              {isOn ? copy.onHint : copy.offHint}{" "}
              {saved ? (
                <>
                  <bdi>{copy.savedBy(saved.by)}</bdi>, <Timestamp at={saved.at} now={now} />.
                </>
              ) : null}
            </p>
          </div>
        </Form>
      </CardContent>
    </Card>
  );
}

/** The saved email as its reader gets it, which the operator can have sent. */
function SavedEmail({ view: { rule, email } }: { view: RuleView }) {
  return (
    <Card>
      <CardHeader>
        <CardTitle asChild>
          <h2>{copy.previewTitle}</h2>
        </CardTitle>
        <CardAction>
          <Form method="post">
            <IntentButton intent="test" size="sm">
              {copy.sendTest}
            </IntentButton>
          </Form>
        </CardAction>
      </CardHeader>
      <CardContent>
        <EmailPreview source={paths.automaticMail(rule)} email={email} />
      </CardContent>
    </Card>
  );
}

type EmailRow = RuleView["emails"]["rows"][number];

function History({ view: { rule, isOn, emails, resendId, now } }: { view: RuleView }) {
  const { rows, ...page } = emails;
  const columns: Column<EmailRow>[] = [
    {
      name: copy.columns.to,
      cell: (row) => (
        <div className="font-mono text-xs leading-5">
          <PersonLink id={row.personId}>{row.address}</PersonLink>
        </div>
      ),
    },
    {
      name: copy.columns.state,
      width: "sm:w-26",
      card: "caption",
      cell: ({ state }) => <DeliveryStateBadge state={state} />,
    },
    {
      name: copy.columns.detail,
      width: "sm:w-[30%] md:w-[24%] xl:w-[36%]",
      className: "text-muted-foreground",
      cell: (row) => (
        <>
          {row.resentBy === undefined ? null : <bdi className="block">{copy.resentBy(row.resentBy)}</bdi>}
          <DeliveryDetail delivery={row} />
        </>
      ),
    },
    {
      ...timeColumn<EmailRow>({
        name: copy.columns.at,
        width: "md:w-32",
        at: ({ updated_at }) => updated_at,
        now,
      }),
      className: "text-muted-foreground sm:max-md:hidden",
    },
    {
      name: copy.columns.actions,
      isHeaderHidden: true,
      width: "sm:w-32 lg:w-60",
      cell: (row) => <RowActions row={row} isOn={isOn} resendId={resendId} />,
    },
  ];
  return (
    <DataTable
      caption={copy.historyTitle}
      columns={columns}
      rows={rows}
      empty={<EmptyList title={copy.emptyTitle} description={copy.empty} />}
      paging={{ newestNoun: "emails", ...toPageLinks(paths.automaticRule(rule), page) }}
    />
  );
}

function RowActions({ row, isOn, resendId }: { row: EmailRow; isOn: boolean; resendId: string }) {
  const canResend = isOn && row.personId !== undefined && isSettled(row.state);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      {row.hasText && row.personId !== undefined ? (
        <TextLink to={paths.automaticSent(row.id)} reloadDocument className="text-xs">
          {copy.see}
        </TextLink>
      ) : null}
      {canResend ? (
        <Form method="post" preventScrollReset>
          <input type="hidden" name="email" value={row.id} />
          <input type="hidden" name="resend" value={resendId} />
          <IntentButton
            intent="resend"
            size="sm"
            aria-label={copy.resendTo(row.address)}
            className="pointer-fine:lg:-my-1 pointer-fine:lg:h-7"
          >
            {copy.resend}
          </IntentButton>
        </Form>
      ) : null}
    </div>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
