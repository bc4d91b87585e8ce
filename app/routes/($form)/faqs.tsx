import { Plus } from "lucide-react";
import { anchors } from "~/paths";
import { measure, SectionHeading } from "./section";
import { useTexts } from "./use-texts";

/** Native disclosure: each opens and closes on its own, also without JavaScript. */
export function Faqs() {
  const { faqs, faqsHeadline } = useTexts();
  return (
    <section id={anchors.faqs} aria-labelledby="faqs-heading">
      <div className={`${measure} grid gap-x-16 gap-y-10 py-20 lg:grid-cols-[5fr_7fr] lg:py-24`}>
        <SectionHeading id="faqs-heading" className="max-w-[5.5em]">
          {faqsHeadline}
        </SectionHeading>
        <div className="border-t">
          {faqs.map(({ id, question, answer }) => (
            <details key={id} id={`faq-${id}`} className="group border-b">
              <summary className="flex items-center justify-between gap-6 py-6 transition-colors hover:text-primary">
                <h3 className="font-display text-xl">{question}</h3>
                <Plus
                  aria-hidden
                  className="size-5 shrink-0 text-muted-foreground transition-transform group-open:rotate-45"
                />
              </summary>
              <p className="max-w-[40.4em] pr-10 pb-8 text-muted-foreground">{answer}</p>
            </details>
          ))}
        </div>
      </div>
    </section>
  );
}
