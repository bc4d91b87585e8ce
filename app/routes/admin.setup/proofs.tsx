import { Form, useNavigation } from "@remix-run/react";
import { CircleAlert, CircleCheck, Send } from "lucide-react";
import { ButtonLink } from "~/components/button-link";
import { CopyableCode } from "~/components/copyable-code";
import { IntentButton } from "~/components/intent-button";
import { TextLink } from "~/components/text-link";
import { useTimeZone } from "~/components/time-zone";
import { Timestamp } from "~/components/timestamp";
import { UnbrokenTimes } from "~/components/unbroken-times";
import { setupMessages as copy } from "~/content/setup";
import { zonedMinute } from "~/lib/format-time";
import { cn } from "~/lib/utils";
import { paths } from "~/paths";
import type { StepName } from "~/services/setup/setup-steps";
import type { SetupView } from "./setup-view.server";

/** What a step shows besides its checks: that it is done, where it is done, or what is left of the day's emails. */
export function Proof({ name, view }: { name: StepName; view: SetupView }) {
  switch (name) {
    case "mail-server":
      return <DailyAllowance allowance={view.allowance} />;
    case "test-email":
      return <TestEmail view={view} />;
    case "backup":
      return <Backup view={view} />;
    case "signup":
      return <TestSignup view={view} />;
    case "colleague":
      return (
        <LinkedFact text={copy.colleague.count(view.accounts)} to={paths.users} link={copy.colleague.open} />
      );
    case "login":
      return <LinkedFact to={paths.secondFactor} link={copy.login.open} />;
    default:
      return null;
  }
}

function LinkedFact({ text, to, link }: { text?: string; to: string; link: string }) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      {text ? <p>{text}</p> : null}
      <ButtonLink to={to} size="sm">
        {link}
      </ButtonLink>
    </div>
  );
}

/** Says what is left of today's allowance of emails. */
function DailyAllowance({ allowance }: Pick<SetupView, "allowance">) {
  const timeZone = useTimeZone();
  const messages = copy.allowance;
  if (!allowance) return <p>{messages.none}</p>;
  const { remaining, limit, keptFree, resetsAt } = allowance;
  return (
    <p>
      {messages.left(remaining, limit)} {keptFree > 0 ? messages.keptFree(keptFree) : null}{" "}
      <UnbrokenTimes>{messages.resets(zonedMinute(resetsAt, timeZone))}</UnbrokenTimes>
    </p>
  );
}

function TestEmail({ view: { testEmail, mailer, email, now } }: { view: SetupView }) {
  const isSending = useNavigation().formData?.get("intent") === "send-test-email";
  const messages = copy.testEmail;
  return (
    <>
      <Form method="post" action={paths.setup} className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <IntentButton intent="send-test-email" variant="default" disabled={isSending}>
          <Send aria-hidden />
          {isSending ? messages.sending : messages.send}
        </IntentButton>
        <p className="min-w-0 wrap-anywhere text-muted-foreground">{messages.to(email)}</p>
      </Form>
      {mailer === "outbox" ? <p>{messages.outbox}</p> : null}
      {testEmail ? <TestEmailResult result={testEmail} now={now} /> : null}
    </>
  );
}

interface TestEmailResultProps {
  result: NonNullable<SetupView["testEmail"]>;
  now: number;
}

function TestEmailResult({ result, now }: TestEmailResultProps) {
  const messages = copy.testEmail;
  const { outcome, detail, at, tookMs, isCurrent } = result;
  const isAccepted = outcome === "accepted";
  const Icon = isAccepted ? CircleCheck : CircleAlert;
  const tone = isAccepted ? "text-success" : "text-destructive";
  return (
    <div className="flex flex-col gap-2 border-l-2 pl-3">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Icon aria-hidden className={cn("size-4 shrink-0", tone)} />
        <span className={cn("font-medium", tone)}>{messages.outcomes[outcome]}</span>
        <span className="text-muted-foreground">
          {messages.tried} <Timestamp at={at} now={now} />, {messages.took(tookMs)}.
        </span>
      </p>
      {outcome === "suppressed" ? (
        <p>
          {messages.suppressed(detail)} <TextLink to={paths.suppressions}>{messages.suppressions}</TextLink>
        </p>
      ) : detail ? (
        <figure className="flex flex-col gap-1">
          <figcaption className="text-xs text-muted-foreground">
            {outcome === "stored" ? messages.detail : messages.answer}
          </figcaption>
          <code className="font-mono text-xs wrap-anywhere">
            <bdi>{detail}</bdi>
          </code>
        </figure>
      ) : null}
      {isCurrent ? null : <p className="text-muted-foreground">{messages.old}</p>}
    </div>
  );
}

function Backup({ view: { backup, now } }: { view: SetupView }) {
  const messages = copy.backup;
  return (
    <div className="flex flex-col gap-2">
      {backup.at === undefined ? (
        <p>{messages.none}</p>
      ) : (
        <p className="wrap-anywhere">
          {messages.found} <Timestamp at={backup.at} now={now} /> {messages.into}{" "}
          <code className="font-mono text-xs">{backup.folder}</code>.
        </p>
      )}
      <CopyableCode text={messages.command} />
    </div>
  );
}

function TestSignup({ view: { ownSignups, signups, email, now } }: { view: SetupView }) {
  const messages = copy.signup;
  const removable = ownSignups.filter(({ state }) => state === "accepted").length;
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <ButtonLink to={paths.earlyAccess} target="_blank" reloadDocument size="sm">
          {messages.open}
        </ButtonLink>
        <p className="max-w-[37.8em] min-w-0 grow basis-72 wrap-anywhere text-muted-foreground">
          {messages.how(email)}
        </p>
      </div>
      {signups > 0 ? <p>{messages.count(signups)}</p> : null}
      {ownSignups.length > 0 ? (
        <Form method="post" action={paths.setup} className="flex flex-col gap-2 border-l-2 pl-3">
          <h3 className="text-xs text-muted-foreground">{messages.own}</h3>
          <ul className="flex flex-col gap-1">
            {ownSignups.map(({ id, kind, state, created_at }) => (
              <li key={id} className="flex flex-wrap gap-x-3">
                <TextLink to={paths.person(id)}>{messages.kinds[kind]}</TextLink>
                <span>{messages.states[state]}</span>
                <span className="text-muted-foreground">
                  <Timestamp at={created_at} now={now} />
                </span>
              </li>
            ))}
          </ul>
          {removable > 0 ? (
            <IntentButton intent="remove-signups" variant="destructive" size="sm" className="self-start">
              {messages.remove(removable)}
            </IntentButton>
          ) : null}
        </Form>
      ) : null}
    </>
  );
}
