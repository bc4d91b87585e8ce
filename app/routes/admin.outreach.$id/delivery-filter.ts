import { cleanText } from "~/lib/clean-text";
import { emailKey } from "~/lib/email-address";
import type { DeliveryFilter } from "~/services/outreach/book.server";
import { readListedState } from "./delivery-states";

const LONGEST = 254;

/** Reads which recipients a URL asks for: `?state=`, `?reason=` and `?q=`, what the address begins with. */
export function readDeliveryFilter(search: URLSearchParams): DeliveryFilter {
  const text = (value: string | null) => cleanText(value ?? "")?.slice(0, LONGEST) || undefined;
  const prefix = text(search.get("q"));
  return {
    state: readListedState(search),
    reason: text(search.get("reason")),
    prefix: prefix === undefined ? undefined : emailKey(prefix),
  };
}

/** Returns the URL's search of a filter, with its question mark; empty without any. */
export function toDeliverySearch(
  { state, reason, prefix }: DeliveryFilter,
  page: { after?: string } = {},
): string {
  const search = new URLSearchParams({
    ...(state && { state }),
    ...(reason && { reason }),
    ...(prefix && { q: prefix }),
    ...page,
  });
  return search.size === 0 ? "" : `?${search}`;
}
