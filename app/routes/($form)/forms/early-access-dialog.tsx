import { brand } from "~/content/brand";
import { Input } from "~/components/ui/input";
import { Select } from "~/components/ui/select";
import { messages } from "~/content/messages";
import { consents } from "./consents";
import type { FormState } from "./form-state";
import { Question } from "./question";
import { SignupDialog } from "./signup-dialog";
import { VisitorForm } from "./visitor-form";

/** The early access dialog over the landing page. */
export function EarlyAccessDialog({ state }: { state: FormState }) {
  return (
    <SignupDialog
      title="Sign Up for Early Access"
      description={`Be among the first teams to try ${brand.name}. The beta is about six months away.`}
      thanked={state.thanked}
      thanks={{ sentence: messages.signup.earlyAccess.success, more: <Thanks /> }}
    >
      <VisitorForm
        name="early-access"
        state={state}
        consent={consents.earlyAccess}
        button="Sign Up for Early Access"
        busyButton="Signing Up..."
        next="you are on the list at once, and we write when your team’s turn comes."
      >
        <Question name="name" label="Full Name" required>
          {(control) => <Input {...control} maxLength={200} autoComplete="name" />}
        </Question>
        <Question name="email" label="Email Address" required hint="Your invitation goes here.">
          {(control) => <Input {...control} type="email" maxLength={254} autoComplete="email" />}
        </Question>
        <div className="grid gap-5 sm:grid-cols-2">
          <Question
            name="company"
            label="Company"
            required={false}
            hint="So that colleagues are invited together."
          >
            {(control) => <Input {...control} maxLength={200} autoComplete="organization" />}
          </Question>
          <Question
            name="role"
            label="Role"
            required={false}
            hint="So that we show you the right part first."
          >
            {(control) => (
              <Select {...control}>
                <option value="">Rather not say</option>
                <option value="executive">Executive</option>
                <option value="manager">Manager</option>
                <option value="developer">Developer</option>
                <option value="other">Other</option>
              </Select>
            )}
          </Question>
        </div>
      </VisitorForm>
    </SignupDialog>
  );
}

function Thanks() {
  return (
    <p>
      You are on the list. We write to you when the beta opens for your team, in about six months, and not
      before there is something to try. {messages.signup.unsubscribedBefore}
    </p>
  );
}
