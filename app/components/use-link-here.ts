import { useSearchParams } from "@remix-run/react";

/**
 * Returns links to a part of the page as it is, with these parameters changed; an empty one is left out. A notice is shown
 * once, so it is left out too. A link of the part alone would drop all parameters.
 */
export function useLinkHere() {
  const [search] = useSearchParams();
  return (part: string, changes: Readonly<Record<string, string | undefined>> = {}): string => {
    const next = new URLSearchParams(search);
    next.delete("notice");
    for (const [name, value] of Object.entries(changes)) {
      if (value) next.set(name, value);
      else next.delete(name);
    }
    return `?${next}#${part}`;
  };
}
