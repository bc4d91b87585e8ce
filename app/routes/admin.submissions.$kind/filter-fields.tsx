import { filterEntries } from "./filter";
import type { FilterValues } from "./filter";

/** Lets a form answer with the page it was sent from. */
export function FilterFields({ values, after }: { values: FilterValues; after: string | undefined }) {
  return (
    <>
      {filterEntries(values).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {after ? <input type="hidden" name="after" value={after} /> : null}
    </>
  );
}
