import type { Filter } from "./address";

/** Lets a form answer with the page it was sent from. */
export function FilterFields({ filter, before }: { filter: Filter; before: string | undefined }) {
  return (
    <>
      {filter.kind ? <input type="hidden" name="form" value={filter.kind} /> : null}
      {filter.reason ? <input type="hidden" name="reason" value={filter.reason} /> : null}
      {before ? <input type="hidden" name="before" value={before} /> : null}
    </>
  );
}
