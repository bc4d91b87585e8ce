import { useEffect, useRef } from "react";
import { brand } from "~/content/brand";
import { Banner } from "~/components/banner";
import { Input } from "~/components/ui/input";
import { Select } from "~/components/ui/select";
import { Textarea } from "~/components/ui/textarea";
import { seconds } from "~/lib/durations";
import { messages } from "~/content/messages";
import { consents } from "./consents";
import { CONTACT_ACTION, MESSAGE_MAX_LENGTH } from "./contact-rules";
import type { FormState } from "./form-state";
import { Question } from "./question";
import { useLeaveAfter } from "./use-leave-after";
import { VisitorForm } from "./visitor-form";

/** How long the thanks stand (specification, section 9). */
const HIDE_AFTER_MS = seconds(5);

/** The contact form. It stands in the page and answers there; the thanks stand above a form that is empty again. */
export function ContactForm({ state }: { state: FormState }) {
  const { thanked } = state;
  const thanks = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (thanked) thanks.current?.focus();
  }, [thanked]);
  useLeaveAfter(HIDE_AFTER_MS, thanked);

  return (
    <>
      {thanked ? (
        <Banner ref={thanks} kind="success" className="mb-5">
          {messages.signup.contact.success}
        </Banner>
      ) : null}
      <VisitorForm
        name="contact"
        action={CONTACT_ACTION}
        state={state}
        consent={consents.contact}
        button="Send Message"
        busyButton="Sending..."
        buttonClassName="sm:w-auto sm:min-w-56"
        next="one of us reads it and answers, as a rule within two working days."
        failureHelp={
          <>
            {" "}
            <a href={`mailto:${brand.contactEmail}`} className="font-medium underline underline-offset-2">
              {brand.contactEmail}
            </a>
          </>
        }
      >
        <div className="grid gap-5 sm:grid-cols-2">
          <Question name="fullName" label="Full Name" required>
            {(control) => <Input {...control} maxLength={200} autoComplete="name" />}
          </Question>
          <Question name="email" label="Email" required>
            {(control) => <Input {...control} type="email" maxLength={254} autoComplete="email" />}
          </Question>
        </div>
        <Question name="inquiryType" label="Inquiry Type" required hint="So that the right person reads it.">
          {(control) => (
            <Select {...control}>
              <option value="">Please choose</option>
              <option value="general">General</option>
              <option value="partnership">Partnership</option>
              <option value="support">Support</option>
            </Select>
          )}
        </Question>
        <Question
          name="message"
          label="Message"
          required
          hint={`Up to ${MESSAGE_MAX_LENGTH.toLocaleString("en")} characters.`}
        >
          {/* No maxlength: browsers cut a pasted text without a word. */}
          {(control) => <Textarea {...control} rows={6} />}
        </Question>
      </VisitorForm>
    </>
  );
}
