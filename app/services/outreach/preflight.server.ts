import type { Read } from "~/db/database.server";
import { unknownMergeFields } from "~/services/mail/compose";
import type { Send } from "./sends.server";
import { sizeOfAudience } from "./audience.server";
import type { AudienceSize } from "./audience.server";

/** What an operator should know before a send is confirmed. */
export interface Preflight extends AudienceSize {
  /** Signups whose address is in the list already. */
  readonly duplicates: number;
  /** Merge fields nothing replaces, such as "nmae". */
  readonly unknownFields: readonly string[];
  /** How long it takes at the configured rate, in milliseconds; undefined without one. */
  readonly durationMs: number | undefined;
  /** These people asked a question; they did not ask for mails. */
  readonly isWithoutConsent: boolean;
  /** Many countries ask for the sender's postal address in such a mail. */
  readonly lacksPostalAddress: boolean;
}

export interface PreflightSettings {
  /** 0 means without limit. */
  readonly ratePerSecond: number;
  readonly postalAddress: string;
}

export async function preflightOf(
  read: Read,
  { audience, title, message }: Pick<Send, "audience" | "title" | "message">,
  { ratePerSecond, postalAddress }: PreflightSettings,
): Promise<Preflight> {
  const [size, signups] = await Promise.all([
    sizeOfAudience(read, audience),
    read
      .selectFrom("submission_counts")
      .select("count")
      .where("kind", "=", audience)
      .where("state", "=", "accepted")
      .executeTakeFirst(),
  ]);
  return {
    ...size,
    duplicates: Math.max(0, (signups?.count ?? 0) - size.total),
    unknownFields: unknownMergeFields(`${title}\n${message}`),
    durationMs: ratePerSecond > 0 ? (size.mailable / ratePerSecond) * 1000 : undefined,
    isWithoutConsent: audience === "contact-form",
    lacksPostalAddress: postalAddress === "",
  };
}
