/**
 * Hidden fields of a form, such as the parameters of the page's URL, with which the response is the same page. Empty ones are
 * left out: the server reads a missing field as an empty one.
 */
export function HiddenFields({ values }: { values: Readonly<Record<string, string | undefined>> }) {
  return Object.entries(values).map(([name, value]) =>
    value ? <input key={name} type="hidden" name={name} value={value} /> : null,
  );
}
