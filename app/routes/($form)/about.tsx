import { brand } from "~/content/brand";
import { anchors } from "~/paths";
import { measure, SectionHeading } from "./frame";

const promises = [
  {
    promise: "You always know when it listens",
    meaning: "Everyone in the room is told before the first word is kept, and anyone can stop the recording.",
  },
  {
    promise: "A summary you can check",
    meaning:
      "Each sentence leads back to the moment it was said. If the summary is wrong, you see it at once.",
  },
  {
    promise: "Your words stay your company’s",
    meaning:
      "They are kept apart from every other company’s, and you can take them with you or have them deleted.",
  },
  {
    promise: "No fourth tool to look after",
    meaning: "Meetings, tasks and chat know each other. What is done in one place is done in all of them.",
  },
];

const values = [
  { value: "Clarity", meaning: "Say what was decided, by whom, and until when." },
  { value: "Calm", meaning: "Fewer messages, each one worth opening." },
  { value: "Care", meaning: "With people’s words, and with their time." },
  { value: "Candour", meaning: "Say what is finished, and what is not." },
];

/** Reading order on a phone: purpose, promises, values. From lg on the promises are beside the other two. */
export function About() {
  return (
    <section id={anchors.about} aria-labelledby="about-heading" className="border-t">
      <div
        className={`${measure} grid gap-x-16 gap-y-14 py-14 lg:grid-cols-[5fr_7fr] lg:grid-rows-[auto_1fr] lg:py-24`}
      >
        <div>
          <SectionHeading id="about-heading" className="max-w-[6em]">
            Most work is agreed out loud, then lost
          </SectionHeading>
          <p className="mt-6 max-w-[30.3em] text-muted-foreground">
            Teams decide well and remember badly. What was said in a meeting is typed again into a task list,
            and explained again in a chat. {brand.name} is built so that it is said once.
          </p>
        </div>
        <div className="lg:col-start-2 lg:row-span-2 lg:row-start-1">
          <h3 className="text-sm font-semibold">What we promise</h3>
          <ol className="mt-3 border-t">
            {promises.map(({ promise, meaning }, index) => (
              <li key={promise} className="grid grid-cols-[2.5rem_1fr] border-b py-7 sm:grid-cols-[4rem_1fr]">
                <span aria-hidden className="font-display text-xl text-primary sm:leading-9.5">
                  {index + 1}
                </span>
                <div>
                  <p className="font-display text-xl sm:text-2xl">{promise}</p>
                  <p className="mt-2 max-w-[36.6em] text-muted-foreground">{meaning}</p>
                </div>
              </li>
            ))}
          </ol>
        </div>
        <div>
          <h3 className="text-sm font-semibold">Our core values</h3>
          <dl className="mt-3 border-t lg:max-w-[35.3em]">
            {values.map(({ value, meaning }) => (
              <div key={value} className="grid grid-cols-[6.5rem_1fr] gap-4 border-b py-3.5">
                <dt className="font-display text-lg leading-6.5">{value}</dt>
                <dd className="text-sm leading-6.5 text-muted-foreground">{meaning}</dd>
              </div>
            ))}
          </dl>
        </div>
      </div>
    </section>
  );
}
