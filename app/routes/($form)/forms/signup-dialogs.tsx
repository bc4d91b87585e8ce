import { useEffect, useRef, type ReactNode } from "react";
import { Banner } from "~/components/banner";
import { Link } from "@remix-run/react";
import { buttonVariants } from "~/components/ui/button";
import { Dialog, DialogContent, DialogDescription, DialogHeader, DialogTitle } from "~/components/ui/dialog";
import { Input } from "~/components/ui/input";
import { NativeSelect } from "~/components/ui/native-select";
import { messages } from "~/content/messages";
import { seconds } from "~/lib/durations";
import { toMaxLength } from "~/lib/max-length";
import { paths } from "~/paths";
import { useTexts } from "../use-texts";
import type { FormState } from "./forms";
import { Options, VisitorField, useLeaveAfter, VisitorForm } from "./visitor-form";

/** How long the success message is shown before the dialog closes (specification, section 9). */
const CLOSE_AFTER_MS = seconds(2);

const { earlyAccess, updates, unsubscribedBefore } = messages.signup;

type EarlyAccessDialogProps = {
  state: FormState;
  /** DOUBLE_OPT_IN: an email asks whoever signs up to confirm the address. */
  needsConfirmation: boolean;
  /** HEARD_FROM: the form asks how the person heard of the product. */
  asksHeardFrom: boolean;
};

export function EarlyAccessDialog({ state, needsConfirmation, asksHeardFrom }: EarlyAccessDialogProps) {
  const texts = useTexts().forms["early-access"];
  return (
    <SignupDialog title={texts.heading} description={state.thanked ? undefined : texts.intro}>
      {state.thanked ? (
        <Thanks
          sentence={earlyAccess.success}
          more={needsConfirmation ? updates.confirm : `${texts.thanks} ${unsubscribedBefore}`}
          leaves={!needsConfirmation}
        />
      ) : (
        <VisitorForm
          name="early-access"
          state={state}
          button={texts.heading}
          busyButton={texts.busy}
          next={needsConfirmation ? texts.nextConfirm : texts.next}
        >
          <VisitorField name="name" label={texts.name} required>
            {(control) => <Input size="lg" {...control} maxLength={toMaxLength(200)} autoComplete="name" />}
          </VisitorField>
          <VisitorField name="email" label={texts.email} required hint={texts.emailHint}>
            {(control) => <Input size="lg" {...control} type="email" maxLength={254} autoComplete="email" />}
          </VisitorField>
          <div className="grid gap-5 sm:grid-cols-2">
            <VisitorField name="company" label={texts.company} required={false} hint={texts.companyHint}>
              {(control) => (
                <Input size="lg" {...control} maxLength={toMaxLength(200)} autoComplete="organization" />
              )}
            </VisitorField>
            <VisitorField name="role" label={texts.role} required={false} hint={texts.roleHint}>
              {(control) => (
                <NativeSelect size="lg" {...control}>
                  <Options labels={texts.roles} />
                </NativeSelect>
              )}
            </VisitorField>
          </div>
          {asksHeardFrom ? (
            <VisitorField name="heardFrom" label={texts.heardFrom} required={false}>
              {(control) => (
                <NativeSelect size="lg" {...control}>
                  <Options labels={texts.heardFromAnswers} />
                </NativeSelect>
              )}
            </VisitorField>
          ) : null}
        </VisitorForm>
      )}
    </SignupDialog>
  );
}

type UpdatesDialogProps = {
  state: FormState;
  /** DOUBLE_OPT_IN: an email asks the subscriber to confirm the address. */
  needsConfirmation: boolean;
};

export function UpdatesDialog({ state, needsConfirmation }: UpdatesDialogProps) {
  const texts = useTexts().forms.updates;
  const more = `${texts.thanks} ${unsubscribedBefore}`;
  return (
    <SignupDialog title={texts.heading} description={state.thanked ? undefined : texts.intro}>
      {state.thanked ? (
        // The instruction to confirm takes longer to read.
        <Thanks
          sentence={updates.success}
          more={needsConfirmation ? updates.confirm : more}
          leaves={!needsConfirmation}
        />
      ) : (
        <VisitorForm
          name="updates"
          state={state}
          button={texts.button}
          busyButton={texts.busy}
          next={needsConfirmation ? texts.nextConfirm : texts.next}
        >
          <VisitorField name="name" label={texts.name} required hint={texts.nameHint}>
            {(control) => <Input size="lg" {...control} maxLength={toMaxLength(200)} autoComplete="name" />}
          </VisitorField>
          <VisitorField name="email" label={texts.email} required hint={texts.emailHint}>
            {(control) => <Input size="lg" {...control} type="email" maxLength={254} autoComplete="email" />}
          </VisitorField>
        </VisitorForm>
      )}
    </SignupDialog>
  );
}

type SignupDialogProps = {
  title: string;
  /** Undefined where the content has it. */
  description: string | undefined;
  children: ReactNode;
};

function SignupDialog({ title, description, children }: SignupDialogProps) {
  return (
    <Dialog closeTo={paths.landing}>
      <DialogContent className="sm:max-w-xl sm:p-8">
        <DialogHeader>
          <DialogTitle className="font-display text-xl font-normal sm:text-2xl">{title}</DialogTitle>
          {description ? <DialogDescription>{description}</DialogDescription> : null}
        </DialogHeader>
        {children}
      </DialogContent>
    </Dialog>
  );
}

type ThanksProps = {
  /** The specification's sentence. */
  sentence: string;
  /** What it means for the person. */
  more: string;
  /** Whether the dialog closes by itself after a while. */
  leaves: boolean;
};

/** The success message in place of the form. */
function Thanks({ sentence, more, leaves }: ThanksProps) {
  const close = useRef<HTMLAnchorElement>(null);
  useEffect(() => close.current?.focus(), []);
  useLeaveAfter(CLOSE_AFTER_MS, leaves);
  return (
    <>
      <Banner kind="success">{sentence}</Banner>
      <DialogDescription className="max-w-[37.8em] text-base">{more}</DialogDescription>
      <Link
        ref={close}
        to={paths.landing}
        preventScrollReset
        replace
        className={buttonVariants({ variant: "outline", className: "justify-self-start", size: "lg" })}
      >
        {useTexts().forms.close}
      </Link>
    </>
  );
}
