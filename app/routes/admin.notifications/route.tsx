import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, useActionData, useLoaderData, useNavigation } from "@remix-run/react";
import { type FormEvent, type MouseEvent, type RefObject, useId, useRef, useState } from "react";
import { AutoRefresh } from "~/components/auto-refresh";
import { BroadcastProgress } from "~/components/broadcast-progress";
import { ConfirmDialog } from "~/components/confirm-dialog";
import { EmptyList } from "~/components/empty-list";
import { FormField } from "~/components/form-field";
import { HiddenFields } from "~/components/hidden-fields";
import { BellRing, CircleAlert } from "lucide-react";
import { keepForm } from "~/components/keep-form";
import { Notice } from "~/components/notice";
import { NotificationCard } from "~/components/notification-card";
import { PageHeader } from "~/components/page-header";
import { SentList } from "~/components/sent-list";
import { TextField } from "~/components/text-field";
import { useTimeZone } from "~/components/time-zone";
import { IntentButton } from "~/components/intent-button";
import { Button } from "~/components/ui/button";
import { Card, CardContent, CardFooter, CardHeader, CardTitle } from "~/components/ui/card";
import {
  Field,
  FieldContent,
  FieldDescription,
  FieldError,
  FieldLabel,
  FieldLegend,
  FieldSet,
  FieldTitle,
} from "~/components/ui/field";
import { NativeSelect } from "~/components/ui/native-select";
import { RadioGroup, RadioGroupItem } from "~/components/ui/radio-group";
import { Textarea } from "~/components/ui/textarea";
import { useHydrated } from "~/components/use-hydrated";
import { backOfficeTitle } from "~/components/use-brand";
import { useInert } from "~/components/use-inert";
import { useLast } from "~/components/use-last";
import { formatPausedBy } from "~/content/campaign-start";
import { messages } from "~/content/messages";
import { notificationMessages as copy } from "~/content/notifications";
import { platformMessages as platform } from "~/content/platform";
import type { Refusal } from "~/http/action-result.server";
import { linkTo, toPageLinks } from "~/http/list-state";
import { cn } from "~/lib/utils";
import type { FieldErrors } from "~/lib/parse-form";
import { relativeTime } from "~/lib/format-time";
import { toMaxLength } from "~/lib/max-length";
import { paths } from "~/paths";
import { CONTENT_LIMITS, getPayloadBytes } from "~/services/broadcast/message";
import { AUDIENCES } from "~/services/broadcast/target";
import { access } from "~/services/container.server";
import type { PushSettings } from "~/lib/push-settings";
import { MAX_PAYLOAD_BYTES } from "~/services/push/push-sender";
import { actOnNotification } from "./actions.server";
import type { NotificationValues } from "./fields";
import { getNotificationsView, type NotificationsView } from "./notifications-view.server";

export const meta: MetaFunction = ({ matches }) => [{ title: backOfficeTitle(matches, copy.title) }];

export { passActionHeaders as headers } from "~/http/action-result.server";

export async function loader({ request }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  return getNotificationsView(new URL(request.url).searchParams);
}

export async function action({ request }: ActionFunctionArgs) {
  const operator = await access.requireAccount(request);
  return actOnNotification(request, operator);
}

export const clientAction = keepForm(() => ({ message: copy.failed }));

/** The Push Notifications screen (specification, section 2): all its state is in its draft and its URL. */
export default function Notifications() {
  const view = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const refused = answer?.form === "notification" ? answer : undefined;
  const refusedQuestion = answer?.form === "confirm" ? answer : undefined;
  const { progress } = view;
  const question = refused ? undefined : view.question;
  const form = refused ?? view.form;
  // The address of a refused form, or of a page of the history, has no `?sent=`: the form stays.
  const after = useLast(progress?.id) ?? "none";
  const id = useFormId(form.id, view.form.isNew ? `after ${after}` : view.form.id);
  const inert = useInert(question !== undefined);
  return (
    <>
      <div {...inert}>
        <PageHeader title={copy.title} state={copy.state(view.sizes.all)} />
        <div className="flex flex-col gap-6">
          {progress ? (
            <BroadcastProgress
              {...progress}
              refresh={<AutoRefresh everySeconds={1} version={progress.stats} needsScript />}
              page={paths.broadcast(progress.id)}
            />
          ) : null}
          {/* The question shows its own. */}
          {question ? null : <Notice />}
          <NotificationForm
            // A new id is a new notification; the same id keeps the typed text.
            key={id}
            view={view}
            id={id}
            values={form.values}
            errors={refused?.errors ?? {}}
          />
          <History view={view} />
        </div>
      </div>
      {question ? <SendQuestion {...question} refused={refusedQuestion} now={view.now} /> : null}
    </>
  );
}

/**
 * Returns the id that the form was opened with. Each time the page loads its data, as it does every second while a broadcast
 * is being sent, an empty form has another id; the typed text is kept with the first one.
 * @param purpose changes when another form is to be shown.
 */
function useFormId(id: string, purpose: string): string {
  const [opened, setOpened] = useState({ id, purpose });
  if (opened.purpose === purpose) return opened.id;
  setOpened({ id, purpose });
  return id;
}

function History({ view }: { view: NotificationsView }) {
  const { title, columns, emptyTitle, empty } = copy.history;
  const timeZone = useTimeZone();
  return (
    <section aria-labelledby="history" id="sent" className="scroll-mt-16">
      <h2 id="history" className="mb-2 text-sm font-semibold">
        {title}
      </h2>
      <SentList
        caption={title}
        names={columns}
        rows={view.rows.map((sent) => ({
          ...sent,
          to: paths.broadcast(sent.id),
          hold:
            sent.state === "paused" ? sent.hold_detail || formatPausedBy(sent.paused, timeZone) : undefined,
          audience: sent.tenant_name || copy.audiences[sent.audience],
        }))}
        now={view.now}
        empty={<EmptyList title={emptyTitle} description={empty} />}
        paging={{ newestNoun: "notifications", ...toPageLinks(`${paths.notifications}#sent`, view) }}
      />
    </section>
  );
}

type SendQuestionProps = NonNullable<NotificationsView["question"]> & {
  refused: Refusal | undefined;
  now: number;
};

/**
 * The last confirmation. The draft's id becomes the broadcast's id, so that pressing twice sends once. Posts to its own address,
 * so that a refusal is shown in the same place.
 */
function SendQuestion(props: SendQuestionProps) {
  const { contentHash, devices, isForPlatform, lastSentAt, now } = props;
  const { id, audience, tenant_name, title, body, link } = props.draft;
  const audienceName = tenant_name || copy.audiences[audience];
  return (
    <ConfirmDialog
      title={copy.confirmTitle}
      closeTo={linkTo(paths.notifications, { draft: id })}
      action={linkTo(paths.notifications, { draft: id, step: "confirm" })}
      intent="confirm"
      refused={props.refused}
      yes={copy.send}
      yesBusy={copy.sending}
      no={copy.cancel}
      fields={<HiddenFields values={{ id, content: contentHash, devices: String(devices) }} />}
    >
      <Notice form="none" />
      <p>
        {isForPlatform ? formatQuestion(devices, audienceName) : copy.confirm(devices, audienceName)}{" "}
        {copy.cannotBeUndone}
      </p>
      {lastSentAt === undefined ? null : (
        <p className="flex gap-2">
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warning" />
          {copy.lastSent(relativeTime(lastSentAt, now))}
        </p>
      )}
      <NotificationCard title={title} body={body} link={devices > 0 ? link : undefined} />
    </ConfirmDialog>
  );
}

function formatQuestion(devices: number, audience: string): string {
  const { alsoTo, onlyTo } = platform.broadcast;
  return devices > 0 ? alsoTo(copy.size(devices), audience) : onlyTo(audience);
}

interface NotificationFormProps {
  view: NotificationsView;
  id: string;
  values: NotificationValues;
  errors: FieldErrors<keyof NotificationValues & string>;
}

/** The form of a notification. Its id becomes the broadcast's, so that repeated submissions send once. */
function NotificationForm({ view, id, values, errors }: NotificationFormProps) {
  const [bytes, setBytes] = useState(() => getPayloadBytes(values));
  const isSending = useNavigation().formData?.get("intent") === "send";
  const testButton = useRef<HTMLButtonElement>(null);

  const linkHint =
    view.forPlatform.length > 0 ? `${copy.linkHint} ${platform.broadcast.noLink}` : copy.linkHint;

  const count = ({ currentTarget }: FormEvent<HTMLFormElement>) => {
    const fields = new FormData(currentTarget);
    const text = (name: string) => String(fields.get(name) ?? "").trim();
    setBytes(getPayloadBytes({ title: text("title"), body: text("body"), link: text("link") }));
  };

  return (
    <Card>
      <CardHeader>
        <CardTitle>{copy.form}</CardTitle>
      </CardHeader>
      <Form method="post" action={paths.notifications} onInput={count} preventScrollReset>
        <input type="hidden" name="id" value={id} />
        <CardContent className="grid gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
          <AudienceFields view={view} values={values} errors={errors} />
          <div className="flex min-w-0 flex-col gap-4">
            <TextField
              label={copy.notificationTitle}
              required
              error={errors.title}
              name="title"
              maxLength={toMaxLength(CONTENT_LIMITS.title)}
              defaultValue={values.title}
            />
            <FormField label={copy.message} required error={errors.body}>
              {(control) => <Textarea {...control} name="body" rows={4} defaultValue={values.body} />}
            </FormField>
            <TextField
              label={copy.link}
              required={false}
              hint={linkHint}
              error={errors.link}
              name="link"
              maxLength={toMaxLength(CONTENT_LIMITS.link)}
              placeholder="/"
              autoComplete="off"
              defaultValue={values.link}
            />
            <p className="text-xs text-muted-foreground">
              <output
                className={cn("tabular-nums", bytes > MAX_PAYLOAD_BYTES && "font-medium text-destructive")}
              >
                {copy.bytes(bytes, MAX_PAYLOAD_BYTES)}.
              </output>{" "}
              {copy.bytesHint}
            </p>
          </div>
        </CardContent>
        <CardFooter className="flex-wrap justify-between gap-3">
          <TestOnThisBrowser settings={view.pushSettings} submitter={testButton} />
          <IntentButton intent="send" disabled={isSending} className="ml-auto self-start" variant="default">
            {isSending ? copy.sending : copy.send}
          </IntentButton>
          {/* After the other one, which Enter presses. */}
          <button
            ref={testButton}
            type="submit"
            name="intent"
            value="test"
            hidden
            aria-hidden
            tabIndex={-1}
          />
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
  const kept = values.tenant ? [{ id: values.tenant, name: copy.chosenCompany, domain: "" }] : [];
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
    <FieldSet className="group/audience">
      <FieldLegend>{copy.audience}</FieldLegend>
      <RadioGroup onChange={resetCompany}>
        {AUDIENCES.map((audience) => (
          <FieldLabel key={audience}>
            <Field orientation="horizontal">
              <RadioGroupItem
                name="audience"
                value={audience}
                required
                aria-describedby={errors.audience ? errorId : undefined}
                defaultChecked={values.audience === audience}
              />
              <FieldContent className="flex-row justify-between gap-x-3">
                <FieldTitle>{copy.audiences[audience]}</FieldTitle>
                <FieldDescription className="shrink-0 tabular-nums">{formatSize(audience)}</FieldDescription>
              </FieldContent>
            </Field>
          </FieldLabel>
        ))}
      </RadioGroup>
      {errors.audience ? (
        <FieldError id={errorId} className="group-has-[input[type=radio]:checked]/audience:hidden">
          {errors.audience}
        </FieldError>
      ) : null}
      <div className="hidden group-has-[input[value=application]:checked]/audience:block">
        <FormField
          label={copy.company}
          hint={companies ? undefined : copy.companiesFailed}
          error={errors.tenant}
        >
          {(control) => (
            <NativeSelect {...control} ref={company} name="tenant" defaultValue={values.tenant}>
              <option value="">{copy.allCompanies}</option>
              {/* Without them the chosen one stays, so that the next press does not send to all. */}
              {(companies ?? kept).map(({ id, name, domain }) => (
                <option key={id} value={id}>
                  {copy.companyName(name, domain)}
                </option>
              ))}
            </NativeSelect>
          )}
        </FormField>
      </div>
    </FieldSet>
  );
}

interface TestOnThisBrowserProps {
  settings: PushSettings;
  /** The form's button that sends the test. */
  submitter: RefObject<HTMLButtonElement>;
}

/** Registers this browser like a visitor's and sends the message to it alone. Push needs JavaScript. */
function TestOnThisBrowser({ settings, submitter }: TestOnThisBrowserProps) {
  const hydrated = useHydrated();
  const token = useRef<HTMLInputElement>(null);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState("");

  async function test({ currentTarget }: MouseEvent<HTMLButtonElement>) {
    const { form } = currentTarget;
    if (!form?.reportValidity()) return;
    setBusy(true);
    setFailure("");
    try {
      // Must come first: browsers ask only in response to a press.
      const permission = "Notification" in window ? await Notification.requestPermission() : "denied";
      const { setUpPush, pushMessages } = await import("./own-browser");
      if (permission === "denied") return setFailure(pushMessages.alerts.denied);
      try {
        const registered = await setUpPush(settings);
        if (token.current) token.current.value = registered;
        form.requestSubmit(submitter.current);
      } catch (error) {
        reportError(error);
        setFailure(pushMessages.alerts.setUpFailed);
      }
    } catch (error) {
      // The browser could not ask, or fetch what sets it up.
      reportError(error);
      setFailure(messages.connection.unreached);
    } finally {
      setBusy(false);
    }
  }

  return (
    <div className="flex max-w-[37.8em] min-w-0 flex-1 basis-80 flex-col items-start gap-1.5">
      <input type="hidden" name="token" ref={token} />
      <Button
        type="button"
        variant="outline"
        disabled={!hydrated || isBusy}
        aria-describedby="test-hint"
        onClick={(event) => void test(event)}
      >
        <BellRing aria-hidden />
        {copy.sendTest}
      </Button>
      <p id="test-hint" className="text-xs text-muted-foreground">
        {copy.testHint}
      </p>
      <noscript>
        <p className="text-xs font-medium">{copy.testNeedsScript}</p>
      </noscript>
      {failure ? (
        <p role="alert" className="text-xs font-medium text-destructive">
          {failure}
        </p>
      ) : null}
    </div>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
