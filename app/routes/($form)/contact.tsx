import { brand } from "~/content/brand";
import { anchors } from "~/paths";
import { ContactForm } from "./forms/contact-form";
import type { FormState } from "./forms/form-state";
import { measure, SectionHeading } from "./frame";

/** On its own address, /contact, the page stands here: its words take the focus, and with it the view, without a script. */
export function Contact({ state, isAddressed }: { state: FormState; isAddressed: boolean }) {
  return (
    <section id={anchors.contact} aria-labelledby="contact-heading" className="border-t">
      <div className={`${measure} grid gap-x-16 gap-y-10 py-20 lg:grid-cols-[5fr_7fr] lg:py-24`}>
        <div {...(isAddressed ? { tabIndex: -1, autoFocus: true } : {})} className="outline-none">
          <SectionHeading id="contact-heading" className="max-w-[17ch]">
            Have questions, feedback, or partnership ideas?
          </SectionHeading>
          <p className="mt-6 max-w-[52ch] text-muted-foreground">
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
