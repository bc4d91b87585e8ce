import { useEffect, useRef } from "react";
import { Banner } from "~/components/banner";
import { Input } from "~/components/ui/input";
import { NativeSelect } from "~/components/ui/native-select";
import { Textarea } from "~/components/ui/textarea";
import { brand } from "~/content/brand";
import { messages } from "~/content/messages";
import { seconds } from "~/lib/durations";
import { anchors } from "~/paths";
import { MESSAGE_MAX_LENGTH, type FormState } from "./forms/forms";
import { Question, useLeaveAfter, VisitorForm } from "./forms/visitor-form";
import { measure, SectionHeading } from "./frame";

/** How long the success message is shown (specification, section 9). */
const HIDE_AFTER_MS = seconds(5);

/** At its own address, /contact, the section takes the focus and scrolls into view, without a script. */
export function Contact({ state, isAddressed }: { state: FormState; isAddressed: boolean }) {
  return (
    <section id={anchors.contact} aria-labelledby="contact-heading" className="border-t">
      <div className={`${measure} grid gap-x-16 gap-y-10 py-20 lg:grid-cols-[5fr_7fr] lg:py-24`}>
        <div {...(isAddressed ? { tabIndex: -1, autoFocus: true } : {})} className="outline-none">
          <SectionHeading id="contact-heading" className="max-w-[7.8em]">
            Have questions, feedback, or partnership ideas?
          </SectionHeading>
          <p className="mt-6 max-w-[32.8em] text-muted-foreground">
            Write to us. Every message is read by one of the people who build {brand.name}, and gets an answer
            from the same person. If you would rather use your own email:
          </p>
          <a
            href={`mailto:${brand.contactEmail}`}
            className="mt-5 inline-block font-display text-2xl text-primary underline decoration-1 underline-offset-8 hover:decoration-2"
          >
            {brand.contactEmail}
          </a>
        </div>
        <div>
          <ContactForm state={state} />
        </div>
      </div>
    </section>
  );
}

/** The contact form, which answers in place; after success it is empty, below the success message. */
function ContactForm({ state }: { state: FormState }) {
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
        state={state}
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
            {(control) => <Input size="lg" {...control} maxLength={200} autoComplete="name" />}
          </Question>
          <Question name="email" label="Email" required>
            {(control) => <Input size="lg" {...control} type="email" maxLength={254} autoComplete="email" />}
          </Question>
        </div>
        <Question name="inquiryType" label="Inquiry Type" required hint="So that the right person reads it.">
          {(control) => (
            <NativeSelect size="lg" {...control}>
              <option value="">Please choose</option>
              <option value="general">General</option>
              <option value="partnership">Partnership</option>
              <option value="support">Support</option>
            </NativeSelect>
          )}
        </Question>
        <Question
          name="message"
          label="Message"
          required
          hint={`Up to ${MESSAGE_MAX_LENGTH.toLocaleString("en")} characters.`}
        >
          {/* No maxlength: browsers cut a pasted text silently. */}
          {(control) => <Textarea size="lg" {...control} rows={6} />}
        </Question>
      </VisitorForm>
    </>
  );
}
