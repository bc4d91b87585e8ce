import { Form, useNavigation } from "@remix-run/react";
import { type ReactNode, useEffect, useRef } from "react";
import { CodeField } from "~/components/code-field";
import { ConfirmDialog } from "~/components/confirm-dialog";
import { CopyButton } from "~/components/copy-button";
import { Field } from "~/components/field";
import { ShieldCheck } from "~/components/icons";
import { RefusalBanner } from "~/components/notice";
import { ButtonLink, IntentButton } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { Input } from "~/components/ui/input";
import { secondFactorMessages as copy } from "~/content/second-factor";
import { cn } from "~/lib/class-names";
import { paths } from "~/paths";
import type { RefusedStep } from "./actions.server";

/** The refusal of the form sent last, if any. */
type Refused = { refused: RefusedStep | undefined };

/** Explains two-factor login, with the form that starts its setup. */
export function TurnedOff({ email, isRequired, refused }: Refused & { email: string; isRequired: boolean }) {
  return (
    <Card className="flex gap-4 p-4 sm:p-6">
      <ShieldCheck aria-hidden className="mt-0.5 size-6 shrink-0 text-primary" />
      <div className="min-w-0">
        <p className="max-w-[60ch] text-base">
          With two-factor login, you also enter a code from an app on your phone. It changes every 30 seconds.
          Somebody who guesses or steals your password still cannot log in.
        </p>
        {isRequired ? (
          <p className="mt-3 max-w-[60ch] font-medium">
            This server requires it for every account. Turn it on to open the rest of the back office.
          </p>
        ) : null}
        <StepForm intent="begin" button="Set up two-factor login" refused={refused} className="mt-5">
          <PasswordField email={email} error={refused?.errors.password} />
        </StepForm>
        <p className="mt-3 text-xs text-muted-foreground">
          You need an authenticator app, such as the one in your password manager.
        </p>
      </div>
    </Card>
  );
}

interface StepFormProps extends Refused {
  intent: string;
  button: string;
  className?: string;
  children: ReactNode;
}

/** The form of one step of the setup; after a refusal its field is selected. */
function StepForm({ intent, button, refused, className, children }: StepFormProps) {
  const busy = useNavigation().formData?.get("intent") === intent;
  const form = useRef<HTMLFormElement>(null);

  useEffect(() => {
    if (refused) form.current?.querySelector<HTMLInputElement>("input:not([hidden])")?.select();
  }, [refused]);

  return (
    <Form ref={form} method="post" className={cn("flex max-w-sm flex-col gap-4", className)}>
      {refused && !busy ? <RefusalBanner refusal={refused} /> : null}
      {children}
      <IntentButton intent={intent} variant="primary" disabled={busy} className="self-start">
        {button}
      </IntentButton>
    </Form>
  );
}

interface EnrolmentProps extends Refused {
  secret: string;
  qrCode: { size: number; path: string };
}

/** The setup: the app gets the key and proves it with a first code. The recovery codes come with the response. */
export function Enrolment({ secret, qrCode, refused }: EnrolmentProps) {
  return (
    <Card>
      <ol className="divide-y">
        <Step number={1} title="Scan this code with your authenticator app">
          <div className="flex flex-wrap items-start gap-x-6 gap-y-4">
            {/* Black on white in both themes, because cameras expect it; the white margin is the code's quiet
                zone. */}
            <svg
              role="img"
              aria-label="QR code for your authenticator app; the key below has the same content"
              viewBox={`0 0 ${qrCode.size} ${qrCode.size}`}
              shapeRendering="crispEdges"
              className="size-52 shrink-0 rounded-md border"
            >
              <rect width={qrCode.size} height={qrCode.size} fill="#fff" />
              <path d={qrCode.path} fill="#000" />
            </svg>
            <div className="min-w-0 flex-1 basis-60">
              <p className="text-muted-foreground">No camera? Type this key into the app instead:</p>
              <div className="mt-2 flex flex-wrap items-center gap-2">
                <code className="rounded-md border bg-muted px-3 py-2 font-mono text-sm tracking-wide wrap-anywhere">
                  {groupInFours(secret)}
                </code>
                <CopyButton text={secret} />
              </div>
            </div>
          </div>
        </Step>
        <Step number={2} title="Enter the code the app shows">
          <StepForm intent="confirm" button="Turn on two-factor login" refused={refused}>
            <CodeField
              kind="authentication"
              size="dense"
              label={copy.code}
              hint="Six digits; they change every 30 seconds."
              error={refused?.errors.code}
            />
          </StepForm>
        </Step>
        <Step number={3} title="Keep your recovery codes">
          <p className="text-muted-foreground">They are shown next, once, in case you lose your phone.</p>
        </Step>
      </ol>
      <Form method="post" className="border-t px-4 py-3 sm:px-6">
        <IntentButton intent="abandon" variant="quiet" className="-ml-3">
          Not now
        </IntentButton>
      </Form>
    </Card>
  );
}

function Step({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 px-4 py-5 sm:px-6">
      <span
        aria-hidden
        className="flex size-6 items-center justify-center rounded-md bg-primary-surface text-xs font-semibold text-primary tabular-nums"
      >
        {number}
      </span>
      <div className="min-w-0">
        <h2 className="mb-3 leading-6 font-semibold">{title}</h2>
        {children}
      </div>
    </li>
  );
}

/** Groups the secret in fours, for typing; apps ignore the spaces. */
function groupInFours(secret: string): string {
  return secret.replace(/.{4}(?=.)/g, "$& ");
}

/** At this number it is time to create new ones. */
const FEW_CODES = 3;

type TurnedOnProps = Refused & { recoveryCodesLeft: number; isRequired: boolean };

export function TurnedOn({ recoveryCodesLeft, isRequired, refused }: TurnedOnProps) {
  const isFew = recoveryCodesLeft <= FEW_CODES;
  const renew = (
    <ButtonLink to={`${paths.secondFactor}?step=renew`} preventScrollReset>
      Create new codes
    </ButtonLink>
  );
  const turnOff = (
    <ButtonLink to={`${paths.secondFactor}?step=turn-off`} preventScrollReset variant="danger">
      Turn off
    </ButtonLink>
  );
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {refused ? <RefusalBanner refusal={refused} /> : null}
      <Card className="divide-y">
        <Line title="Authenticator app" link={isRequired ? null : turnOff}>
          Every login asks for a code from your app.{" "}
          {isRequired ? copy.required : "New phone? Turn two-factor login off and set it up again."}
        </Line>
        <Line title="Recovery codes" link={renew}>
          <span className={cn(isFew && "font-medium text-warning")}>
            {copy.left(recoveryCodesLeft)} {isFew ? "Create new ones before you need them." : null}
          </span>{" "}
          Each logs you in once without your phone.
        </Line>
      </Card>
    </div>
  );
}

function Line({ title, link, children }: { title: string; link: ReactNode; children: ReactNode }) {
  return (
    <section className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-4 sm:px-6">
      <div className="min-w-0 flex-1 basis-72">
        <h2 className="font-semibold">{title}</h2>
        <p className="mt-1 max-w-[60ch] text-muted-foreground">{children}</p>
      </div>
      {link}
    </section>
  );
}

type CodeQuestionProps = Refused & { step: keyof typeof copy.questions; email: string };

/** Asks for proof that the account's owner is at the open session. Its address is `?step=...`. */
export function CodeQuestion({ step, email, refused }: CodeQuestionProps) {
  const { text, ...question } = copy.questions[step];
  const errors = refused?.errors ?? {};
  return (
    <ConfirmDialog
      {...question}
      closeTo={paths.secondFactor}
      // Keeps the question open after a refusal.
      action={`${paths.secondFactor}?step=${step}`}
      intent={step}
      isDestructive={step === "turn-off"}
      asksForInput
      fields={
        <div className="mb-2 flex basis-full flex-col gap-4">
          {step === "turn-off" ? <PasswordField email={email} error={errors.password} /> : null}
          <CodeField
            kind="any"
            size="dense"
            label="Authentication code or recovery code"
            error={errors.code}
          />
        </div>
      }
    >
      {refused ? <RefusalBanner refusal={refused} /> : null}
      <p>{text}</p>
    </ConfirmDialog>
  );
}

/** Asks for the account's current password again. It is never echoed. */
function PasswordField({ email, error }: { email: string; error: string | undefined }) {
  return (
    <>
      {/* For password managers, which store a password under its account. */}
      <input type="email" name="username" value={email} autoComplete="username" readOnly hidden />
      <Field label="Current Password" error={error}>
        {(control) => (
          <Input
            {...control}
            required
            size="dense"
            type="password"
            name="password"
            maxLength={1000}
            autoComplete="current-password"
          />
        )}
      </Field>
    </>
  );
}
