import { brand } from "~/brand";
import { anchors } from "~/paths";
import { measure, SectionHeading } from "./frame";

export function Contact() {
  return (
    <section id={anchors.contact} aria-labelledby="contact-heading" className="border-t">
      <div className={`${measure} grid gap-x-16 gap-y-8 py-20 lg:grid-cols-[5fr_7fr] lg:items-end lg:py-24`}>
        <SectionHeading id="contact-heading" className="max-w-[17ch]">
          Have questions, feedback, or partnership ideas?
        </SectionHeading>
        <div>
          <p className="max-w-[52ch] text-muted-foreground">
            Write to us. Every mail is read by one of the people who build {brand.name}, and gets an answer
            from the same person.
          </p>
          <a
            href={`mailto:${brand.contactEmail}`}
            className="mt-5 inline-block font-display text-2xl text-primary underline decoration-1 underline-offset-8 hover:decoration-2"
          >
            {brand.contactEmail}
          </a>
        </div>
      </div>
    </section>
  );
}
