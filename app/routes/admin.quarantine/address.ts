import type { NoticeCode } from "~/operator-messages";
import { paths } from "~/paths";
import type { QuarantineReason } from "~/services/signups/quarantine-reasons";
import type { SubmissionKind } from "~/services/signups/submission-kinds";

export const DEEDS = ["release", "purge"] as const;
export type Deed = (typeof DEEDS)[number];

/** What the list is narrowed to. */
export interface Filter {
  readonly kind?: SubmissionKind | undefined;
  readonly reason?: QuarantineReason | undefined;
}

interface Place extends Filter {
  /** The page after this id. */
  before?: string | undefined;
  /** Ids that are ticked. */
  ticked?: readonly string[] | undefined;
  /** The question that is asked. */
  step?: Deed | undefined;
  /** The question is about all that match up to this id, not about what is ticked. */
  through?: string | undefined;
  notice?: NoticeCode | undefined;
}

/** The page's URL: everything a reload should keep. */
export function quarantineAt({ kind, ticked = [], ...rest }: Place): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries({ form: kind, ...rest })) if (value) search.set(name, value);
  for (const id of ticked) search.append("id", id);
  return search.size > 0 ? `${paths.quarantine}?${search}` : paths.quarantine;
}
