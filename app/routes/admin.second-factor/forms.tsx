import { Form, useNavigation } from "@remix-run/react";
import { type ReactNode, useEffect, useRef } from "react";
import { CodeField } from "~/components/code-field";
import { ConfirmDialog } from "~/components/confirm-dialog";
import { CopyableCode } from "~/components/copyable-code";
import { CurrentPasswordField } from "~/components/current-password-field";
import { ShieldCheck } from "lucide-react";
import { RefusalBanner } from "~/components/notice";
import { ButtonLink } from "~/components/button-link";
import { IntentButton } from "~/components/intent-button";
import { Card, CardContent, CardFooter } from "~/components/ui/card";
import { Item, ItemActions, ItemContent, ItemDescription, ItemTitle } from "~/components/ui/item";
import { secondFactorMessages as copy } from "~/content/second-factor";
import { cn } from "~/lib/utils";
import { paths } from "~/paths";
import type { RefusedStep } from "./actions.server";

/** The refusal of the form sent last, if any. */
type Refused = { refused: RefusedStep | undefined };

/** Explains two-factor login, with the form that starts its setup. */
export function TurnedOff({ email, isRequired, refused }: Refused & { email: string; isRequired: boolean }) {
  return (
    <Card>
      <CardContent className="flex gap-4 sm:p-6">
        <ShieldCheck aria-hidden className="mt-0.5 size-6 shrink-0 text-primary" />
        <div className="flex min-w-0 flex-col gap-4">
          <p className="max-w-[37.8em] text-base">{copy.off.explains.join(" ")}</p>
          {isRequired ? <p className="max-w-[37.8em] font-medium">{copy.off.required}</p> : null}
          <StepForm intent="begin" button={copy.off.begin} refused={refused}>
            <CurrentPasswordField label={copy.password} email={email} error={refused?.errors.password} />
          </StepForm>
          <p className="text-xs text-muted-foreground">{copy.off.needs}</p>
        </div>
      </CardContent>
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
    // Not the user name, which is there for password managers.
    if (refused) form.current?.querySelector<HTMLInputElement>("input:not([hidden])")?.select();
  }, [refused]);

  return (
    <Form ref={form} method="post" className={cn("flex max-w-sm flex-col gap-4", className)}>
      {refused && !busy ? <RefusalBanner refusal={refused} /> : null}
      {children}
      <IntentButton intent={intent} variant="default" disabled={busy} className="self-start">
        {button}
      </IntentButton>
    </Form>
  );
}

const { enrolling } = copy;

interface EnrolmentProps extends Refused {
  secret: string;
  qrCode: { size: number; path: string };
}

/** The setup: the app gets the key and proves it with a first code. The recovery codes come with the response. */
export function Enrolment({ secret, qrCode, refused }: EnrolmentProps) {
  return (
    <Card>
      <ol className="divide-y">
        <Step number={1} title={enrolling.scanTitle}>
          <div className="flex flex-wrap items-start gap-x-6 gap-y-4">
            {/* Black on white in both themes, because cameras expect it; the white margin is the code's quiet
                zone. */}
            <svg
              role="img"
              aria-label={enrolling.qrLabel}
              viewBox={`0 0 ${qrCode.size} ${qrCode.size}`}
              shapeRendering="crispEdges"
              className="size-52 shrink-0 rounded-md border"
            >
              <rect width={qrCode.size} height={qrCode.size} fill="#fff" />
              <path d={qrCode.path} fill="#000" />
            </svg>
            <div className="flex min-w-0 flex-1 basis-60 flex-col gap-2">
              <p className="text-muted-foreground">{enrolling.keyLabel}</p>
              <CopyableCode text={secret} shown={groupInFours(secret)} />
            </div>
          </div>
        </Step>
        <Step number={2} title={enrolling.codeTitle}>
          <StepForm intent="confirm" button={enrolling.confirm} refused={refused}>
            <CodeField
              kind="authentication"
              label={copy.code}
              hint={enrolling.codeHint}
              error={refused?.errors.code}
            />
          </StepForm>
        </Step>
        <Step number={3} title={enrolling.keepTitle}>
          <p className="text-muted-foreground">{enrolling.keepExplains}</p>
        </Step>
      </ol>
      <CardFooter className="sm:px-6">
        <Form method="post">
          <IntentButton intent="abandon" variant="ghost" className="-ml-3">
            {enrolling.abandon}
          </IntentButton>
        </Form>
      </CardFooter>
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
      {copy.on.renew}
    </ButtonLink>
  );
  const turnOff = (
    <ButtonLink to={`${paths.secondFactor}?step=turn-off`} preventScrollReset variant="destructive">
      {copy.on.turnOff}
    </ButtonLink>
  );
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {refused ? <RefusalBanner refusal={refused} /> : null}
      <Card className="divide-y">
        <Line title={copy.on.appTitle} link={isRequired ? null : turnOff}>
          {copy.on.app} {isRequired ? copy.on.required : copy.on.newPhone}
        </Line>
        <Line title={copy.on.title} link={renew}>
          <span className={cn(isFew && "font-medium text-warning")}>
            {copy.on.left(recoveryCodesLeft)} {isFew ? copy.on.fewLeft : null}
          </span>{" "}
          {copy.on.explains}
        </Line>
      </Card>
    </div>
  );
}

function Line({ title, link, children }: { title: string; link: ReactNode; children: ReactNode }) {
  return (
    <Item className="rounded-none sm:px-6">
      <ItemContent className="basis-72">
        <ItemTitle asChild>
          <h2>{title}</h2>
        </ItemTitle>
        <ItemDescription className="max-w-[37.8em]">{children}</ItemDescription>
      </ItemContent>
      <ItemActions>{link}</ItemActions>
    </Item>
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
      refused={refused}
      fields={
        <div className="flex flex-col gap-4">
          {step === "turn-off" ? (
            <CurrentPasswordField label={copy.password} email={email} error={errors.password} />
          ) : null}
          <CodeField kind="any" label={copy.eitherCode} error={errors.code} />
        </div>
      }
    >
      <p>{text}</p>
    </ConfirmDialog>
  );
}
