/**
 * Sends parameters of the page's URL with a form, so that the response is the same page. Empty values are
 * left out.
 */
export function HiddenFields({ values }: { values: Readonly<Record<string, string | undefined>> }) {
  return Object.entries(values).map(([name, value]) =>
    value ? <input key={name} type="hidden" name={name} value={value} /> : null,
  );
}
