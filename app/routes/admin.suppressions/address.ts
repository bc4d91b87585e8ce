import { emailKey } from "~/lib/email-address";
import type { NoticeCode } from "~/operator-messages";
import { paths } from "~/paths";
import { SUPPRESSION_REASONS } from "~/services/suppressions/suppression-reasons";
import type { SuppressionReason } from "~/services/suppressions/suppression-reasons";

const LONGEST_PREFIX = 100;

/** What the list is narrowed to. */
export interface Filter {
  readonly reason?: SuppressionReason | undefined;
  /** What the address begins with. */
  readonly prefix?: string | undefined;
}

interface Place extends Filter {
  /** The page after this id. */
  before?: string | undefined;
  /** Ids that are ticked. */
  ticked?: readonly string[] | undefined;
  /** The question that is asked. */
  step?: "release" | undefined;
  notice?: NoticeCode | undefined;
}

/** The page's URL: everything a reload should keep. */
export function suppressionsAt({ ticked = [], ...rest }: Place): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(rest)) if (value) search.set(name, value);
  for (const id of ticked) search.append("id", id);
  return search.size > 0 ? `${paths.suppressions}?${search}` : paths.suppressions;
}

/** The filter as it stands in the URL; what is no reason of ours narrows nothing. */
export function filterIn(search: URLSearchParams): Filter {
  const prefix = emailKey(search.get("prefix") ?? "")
    .replaceAll("\0", "")
    .toWellFormed()
    .slice(0, LONGEST_PREFIX);
  return {
    reason: SUPPRESSION_REASONS.find((known) => known === search.get("reason")),
    prefix: prefix || undefined,
  };
}

/** The filter for a link, and in words of the audit: what is any is left out. */
export function filterSearch({ reason, prefix }: Filter): string {
  return String(new URLSearchParams({ ...(reason && { reason }), ...(prefix && { prefix }) }));
}
