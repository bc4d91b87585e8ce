import { anchors } from "~/paths";
import { measure, SectionHeading } from "./section";
import { useTexts } from "./use-texts";

/** Reading order on a phone: purpose, promises, values. From lg on the promises are beside the other two. */
export function About() {
  const { about } = useTexts();
  return (
    <section id={anchors.about} aria-labelledby="about-heading" className="border-t">
      <div
        className={`${measure} grid gap-x-16 gap-y-14 py-14 lg:grid-cols-[5fr_7fr] lg:grid-rows-[auto_1fr] lg:py-24`}
      >
        <div>
          <SectionHeading id="about-heading" className="max-w-[6em]">
            {about.headline}
          </SectionHeading>
          <p className="mt-6 max-w-[30.3em] text-muted-foreground">{about.text}</p>
        </div>
        <div className="lg:col-start-2 lg:row-span-2 lg:row-start-1">
          <h3 className="text-sm font-semibold">{about.promisesTitle}</h3>
          <ol className="mt-3 border-t">
            {about.promises.map(({ promise, meaning }, index) => (
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
          <h3 className="text-sm font-semibold">{about.valuesTitle}</h3>
          <dl className="mt-3 border-t lg:max-w-[35.3em]">
            {about.values.map(({ value, meaning }) => (
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
