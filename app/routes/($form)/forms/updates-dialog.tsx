import { brand } from "~/brand";
import { Input } from "~/components/ui/input";
import { messages } from "~/messages";
import { consents } from "./consents";
import type { FormState } from "./form-state";
import { Question } from "./question";
import { SignupDialog } from "./signup-dialog";
import { VisitorForm } from "./visitor-form";

/** The updates dialog over the landing page. */
export function UpdatesDialog({ state }: { state: FormState }) {
  return (
    <SignupDialog
      title={`Stay Updated on ${brand.name}`}
      description="A short mail when something is finished, at most once a month."
      thanked={state.thanked}
      thanks={{ sentence: messages.signup.updates.success, more: <Thanks /> }}
    >
      <VisitorForm
        name="updates"
        state={state}
        consent={consents.updates}
        button="Sign Up for Updates"
        busyButton="Signing Up..."
        next="the next mail that goes out comes to you too."
      >
        <Question name="name" label="Full Name" required hint="So that the mails greet you by name.">
          {(control) => <Input {...control} maxLength={200} autoComplete="name" />}
        </Question>
        <Question name="email" label="Email" required hint="Our mails go here. We pass it on to nobody.">
          {(control) => <Input {...control} type="email" maxLength={254} autoComplete="email" />}
        </Question>
      </VisitorForm>
    </SignupDialog>
  );
}

function Thanks() {
  return <p>You are on the list. The next mail is about something you can look at, not about a plan.</p>;
}
