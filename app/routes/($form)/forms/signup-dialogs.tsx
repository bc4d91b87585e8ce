import { useEffect, useRef } from "react";
import { Banner } from "~/components/banner";
import { DialogPage } from "~/components/dialog-page";
import { Link } from "@remix-run/react";
import { buttonVariants } from "~/components/ui/button";
import { Input } from "~/components/ui/input";
import { NativeSelect } from "~/components/ui/native-select";
import { brand } from "~/content/brand";
import { messages } from "~/content/messages";
import { seconds } from "~/lib/durations";
import { paths } from "~/paths";
import type { FormState } from "./forms";
import { Question, useLeaveAfter, VisitorForm } from "./visitor-form";

/** How long the success message is shown before the dialog closes (specification, section 9). */
const CLOSE_AFTER_MS = seconds(2);

const { earlyAccess, updates, unsubscribedBefore } = messages.signup;

export function EarlyAccessDialog({ state }: { state: FormState }) {
  const description = `Be among the first teams to try ${brand.name}. The beta is about six months away.`;
  return (
    <DialogPage
      title="Sign Up for Early Access"
      description={state.thanked ? undefined : description}
      closeTo={paths.landing}
    >
      {state.thanked ? (
        <Thanks
          sentence={earlyAccess.success}
          more={`You are on the list. We write to you when the beta opens for your team, in about six months, and not before there is something to try. ${unsubscribedBefore}`}
        />
      ) : (
        <VisitorForm
          name="early-access"
          state={state}
          button="Sign Up for Early Access"
          busyButton="Signing Up..."
          next="you are on the list at once, and we write when your team’s turn comes."
        >
          <Question name="name" label="Full Name" required>
            {(control) => <Input size="lg" {...control} maxLength={200} autoComplete="name" />}
          </Question>
          <Question name="email" label="Email Address" required hint="Your invitation goes here.">
            {(control) => <Input size="lg" {...control} type="email" maxLength={254} autoComplete="email" />}
          </Question>
          <div className="grid gap-5 sm:grid-cols-2">
            <Question
              name="company"
              label="Company"
              required={false}
              hint="So that colleagues are invited together."
            >
              {(control) => <Input size="lg" {...control} maxLength={200} autoComplete="organization" />}
            </Question>
            <Question
              name="role"
              label="Role"
              required={false}
              hint="So that we show you the right part first."
            >
              {(control) => (
                <NativeSelect size="lg" {...control}>
                  <option value="">Rather not say</option>
                  <option value="executive">Executive</option>
                  <option value="manager">Manager</option>
                  <option value="developer">Developer</option>
                  <option value="other">Other</option>
                </NativeSelect>
              )}
            </Question>
          </div>
        </VisitorForm>
      )}
    </DialogPage>
  );
}

type UpdatesDialogProps = {
  state: FormState;
  /** DOUBLE_OPT_IN: an email asks the subscriber to confirm the address. */
  needsConfirmation: boolean;
};

export function UpdatesDialog({ state, needsConfirmation }: UpdatesDialogProps) {
  const description = "A short email when something is finished, at most once a month.";
  const more = `You are on the list. The next email is about something you can look at, not about a plan. ${unsubscribedBefore}`;
  return (
    <DialogPage
      title={`Stay Updated on ${brand.name}`}
      description={state.thanked ? undefined : description}
      closeTo={paths.landing}
    >
      {state.thanked ? (
        // The instruction to confirm takes longer to read.
        <Thanks
          sentence={updates.success}
          more={needsConfirmation ? updates.confirm : more}
          stays={needsConfirmation}
        />
      ) : (
        <VisitorForm
          name="updates"
          state={state}
          button="Sign Up for Updates"
          busyButton="Signing Up..."
          next={
            needsConfirmation
              ? "we email you a link to confirm that the address is yours."
              : "the next email comes to you too."
          }
        >
          <Question name="name" label="Full Name" required hint="So that our emails greet you by name.">
            {(control) => <Input size="lg" {...control} maxLength={200} autoComplete="name" />}
          </Question>
          <Question name="email" label="Email" required hint="Our emails go here. We do not share it.">
            {(control) => <Input size="lg" {...control} type="email" maxLength={254} autoComplete="email" />}
          </Question>
        </VisitorForm>
      )}
    </DialogPage>
  );
}

/** The success message in place of the form: the catalogue's sentence, then what it means. */
function Thanks({ sentence, more, stays = false }: { sentence: string; more: string; stays?: boolean }) {
  const close = useRef<HTMLAnchorElement>(null);
  useEffect(() => close.current?.focus(), []);
  useLeaveAfter(CLOSE_AFTER_MS, !stays);
  return (
    <>
      <Banner kind="success">{sentence}</Banner>
      <p className="mt-4 max-w-[37.8em] text-base text-muted-foreground">{more}</p>
      <Link
        ref={close}
        to={paths.landing}
        preventScrollReset
        replace
        className={buttonVariants({ variant: "outline", className: "mt-6", size: "lg" })}
      >
        Close
      </Link>
    </>
  );
}
