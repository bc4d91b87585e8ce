import { brand } from "~/content/brand";
import { Input } from "~/components/ui/input";
import { messages } from "~/content/messages";
import { consents } from "./consents";
import type { FormState } from "./form-state";
import { Question } from "./question";
import { SignupDialog } from "./signup-dialog";
import { VisitorForm } from "./visitor-form";

const ON_THE_LIST = `You are on the list. The next email is about something you can look at, not about a plan. ${messages.signup.unsubscribedBefore}`;

type UpdatesDialogProps = {
  state: FormState;
  /** DOUBLE_OPT_IN: a mail asks whether the address is theirs. */
  needsConfirmation: boolean;
};

/** The updates dialog over the landing page. */
export function UpdatesDialog({ state, needsConfirmation }: UpdatesDialogProps) {
  return (
    <SignupDialog
      title={`Stay Updated on ${brand.name}`}
      description="A short email when something is finished, at most once a month."
      thanked={state.thanked}
      thanks={{
        sentence: messages.signup.updates.success,
        more: <p>{needsConfirmation ? messages.signup.updates.confirm : ON_THE_LIST}</p>,
        // What is to be done now takes longer to read.
        stays: needsConfirmation,
      }}
    >
      <VisitorForm
        name="updates"
        state={state}
        consent={consents.updates}
        button="Sign Up for Updates"
        busyButton="Signing Up..."
        next={
          needsConfirmation
            ? "we email you a link to confirm that the address is yours."
            : "the next email comes to you too."
        }
      >
        <Question name="name" label="Full Name" required hint="So that our emails greet you by name.">
          {(control) => <Input {...control} maxLength={200} autoComplete="name" />}
        </Question>
        <Question name="email" label="Email" required hint="Our emails go here. We do not share it.">
          {(control) => <Input {...control} type="email" maxLength={254} autoComplete="email" />}
        </Question>
      </VisitorForm>
    </SignupDialog>
  );
}
