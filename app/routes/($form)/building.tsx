import { measure, SectionHeading } from "./section";
import { useTexts } from "./use-texts";

export function Building() {
  const { building } = useTexts();
  return (
    <section aria-labelledby="building-heading" className="bg-band text-band-foreground">
      <div className={`${measure} py-20 lg:py-28`}>
        <SectionHeading id="building-heading">{building.headline}</SectionHeading>
        <p className="mt-5 max-w-[37.8em] text-band-muted">{building.text}</p>
        <dl className="mt-14 grid border-band-border sm:grid-cols-3 lg:mt-20">
          {building.figures.map(({ figure, unit, meaning }) => (
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
