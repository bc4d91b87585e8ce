import { brand } from "~/content/brand";
import { measure, SectionHeading } from "./frame";

const figures = [
  {
    figure: "6+",
    unit: "months to beta",
    meaning: "Then the first teams on the early access list are invited.",
  },
  { figure: "100%", unit: "commitment", meaning: "One team, one product, nothing else on the side." },
  { figure: "10+", unit: "advanced features", meaning: "Each is finished before it is announced." },
];

export function Building() {
  return (
    <section aria-labelledby="building-heading" className="bg-band text-band-foreground">
      <div className={`${measure} py-20 lg:py-28`}>
        <SectionHeading id="building-heading">Building the Future Together!</SectionHeading>
        <p className="mt-5 max-w-[37.8em] text-band-muted">
          {brand.name} is in development. The teams who sign up early see it first, and what they tell us
          decides what comes next.
        </p>
        <dl className="mt-14 grid border-band-border sm:grid-cols-3 lg:mt-20">
          {figures.map(({ figure, unit, meaning }) => (
            <div
              key={unit}
              className="flex flex-col border-t border-band-border py-7 sm:border-t-0 sm:border-l sm:px-5 sm:py-1 sm:first:border-l-0 sm:first:pl-0 lg:px-8"
            >
              <dt className="order-2 mt-3 text-base font-medium">{unit}</dt>
              <dd className="order-1 font-display text-4xl tracking-tight lg:text-5xl">{figure}</dd>
              <dd className="order-3 mt-1 max-w-[22.7em] text-sm text-balance text-band-muted">{meaning}</dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  );
}
