import { Plus } from "lucide-react";
import { brand } from "~/content/brand";
import { anchors } from "~/paths";
import { measure, SectionHeading } from "./frame";

/** Also in the page's structured data (app/discovery/landing-meta.ts). */
export const faqs = [
  {
    id: "when",
    question: `When can our team use ${brand.name}?`,
    answer:
      "The beta is about six months away. We invite people from the early access list first, a few teams at a time, so that each gets our attention. You will get one email when it is your turn.",
  },
  {
    id: "privacy",
    question: "Who can read what was said in our meetings?",
    answer:
      "The people who were in the meeting, and those they share it with. Every company has a secure environment of its own, so nothing you record can be seen or searched by another one. Everyone is told before a recording starts.",
  },
  {
    id: "address",
    question: "What happens to my email address?",
    answer:
      "We keep it to invite you and to write when there is something to try. We do not sell it or pass it on. Every email has a link that takes you off the list at once, without a password and without questions.",
  },
];

/** Native disclosure: each opens and closes on its own, also without JavaScript. */
export function Faqs() {
  return (
    <section id={anchors.faqs} aria-labelledby="faqs-heading">
      <div className={`${measure} grid gap-x-16 gap-y-10 py-20 lg:grid-cols-[5fr_7fr] lg:py-24`}>
        <SectionHeading id="faqs-heading" className="max-w-[5.5em]">
          Three things people ask first
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
