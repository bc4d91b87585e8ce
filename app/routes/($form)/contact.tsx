import { useRef } from "react";
import { Banner } from "~/components/banner";
import { Input } from "~/components/ui/input";
import { NativeSelect } from "~/components/ui/native-select";
import { Textarea } from "~/components/ui/textarea";
import { useBrand } from "~/components/use-brand";
import { messages } from "~/content/messages";
import { seconds } from "~/lib/durations";
import { MESSAGE_MAX_LENGTH } from "~/lib/form-fields";
import { toMaxLength } from "~/lib/max-length";
import { anchors } from "~/paths";
import type { FormState } from "./forms/forms";
import { Options, VisitorField, useLeaveAfter, useOnceThanked, VisitorForm } from "./forms/visitor-form";
import { measure, SectionHeading } from "./section";
import { useTexts } from "./use-texts";

/** How long the success message is shown (specification, section 9). */
const HIDE_AFTER_MS = seconds(5);

/** At its own address, /contact, its text takes the focus and scrolls into view, without a script. */
export function Contact({ state, isAddressed }: { state: FormState; isAddressed: boolean }) {
  const { contactEmail } = useBrand();
  const { contact } = useTexts();
  return (
    <section id={anchors.contact} aria-labelledby="contact-heading" className="border-t">
      <div className={`${measure} grid gap-x-16 gap-y-10 py-20 lg:grid-cols-[5fr_7fr] lg:py-24`}>
        <div {...(isAddressed ? { tabIndex: -1, autoFocus: true } : {})} className="outline-none">
          <SectionHeading id="contact-heading" className="max-w-[7.8em]">
            {contact.headline}
          </SectionHeading>
          <p className="mt-6 max-w-[32.8em] text-muted-foreground">{contact.text}</p>
          <a
            href={`mailto:${contactEmail}`}
            className="mt-5 inline-block font-display text-2xl text-primary underline decoration-1 underline-offset-8 hover:decoration-2"
          >
            {contactEmail}
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
  const { contactEmail } = useBrand();
  const texts = useTexts().forms.contact;
  const { thanked } = state;
  const thanks = useRef<HTMLDivElement>(null);
  useOnceThanked(thanked, () => thanks.current?.focus());
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
        button={texts.button}
        busyButton={texts.busy}
        buttonClassName="sm:w-auto sm:min-w-56"
        next={texts.next}
        failureHelp={
          <>
            {" "}
            <a href={`mailto:${contactEmail}`} className="font-medium underline underline-offset-2">
              {contactEmail}
            </a>
          </>
        }
      >
        <div className="grid gap-5 sm:grid-cols-2">
          <VisitorField name="fullName" label={texts.name} required>
            {(control) => <Input size="lg" {...control} maxLength={toMaxLength(200)} autoComplete="name" />}
          </VisitorField>
          <VisitorField name="email" label={texts.email} required>
            {(control) => <Input size="lg" {...control} type="email" maxLength={254} autoComplete="email" />}
          </VisitorField>
        </div>
        <VisitorField name="inquiryType" label={texts.inquiryType} required hint={texts.inquiryTypeHint}>
          {(control) => (
            // React keeps an option that the server selected: after success another element is empty.
            <NativeSelect key={control.defaultValue} size="lg" {...control}>
              <Options labels={texts.inquiryTypes} />
            </NativeSelect>
          )}
        </VisitorField>
        <VisitorField
          name="message"
          label={texts.message}
          required
          hint={texts.messageHint(MESSAGE_MAX_LENGTH.toLocaleString("en"))}
        >
          {/* No maxlength: browsers cut a pasted text silently. */}
          {(control) => <Textarea size="lg" {...control} rows={6} />}
        </VisitorField>
      </VisitorForm>
    </>
  );
}
