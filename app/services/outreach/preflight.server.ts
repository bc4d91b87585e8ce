import type { Read } from "~/db/database.server";
import { unknownMergeFields } from "~/services/mail/compose";
import { getAudienceEnd } from "~/services/signups/audience-position.server";
import type { Campaign } from "./campaigns.server";
import { sizeOfAudience } from "./audience.server";
import type { AudienceSize } from "./audience.server";
import { getContentHash } from "./question.server";
import type { Question } from "./question.server";

/** What an operator should know before a campaign is confirmed. */
export interface Preflight extends AudienceSize {
  readonly question: Question;
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
  /** Where links lead, when that is this machine: nobody else can follow them. */
  readonly localOrigin: string | undefined;
}

export interface PreflightSettings {
  /** 0 means without limit. */
  readonly ratePerSecond: number;
  readonly postalAddress: string;
  /** Where links lead, when emails go to a mail server though ORIGIN is not set. */
  readonly localOrigin?: string | undefined;
}

export async function preflightOf(
  read: Read,
  { audience, title, message }: Pick<Campaign, "audience" | "title" | "message">,
  { ratePerSecond, postalAddress, localOrigin }: PreflightSettings,
): Promise<Preflight> {
  const end = await getAudienceEnd(read, audience);
  const size = await sizeOfAudience(read, audience, end.position);
  return {
    ...size,
    question: {
      contentHash: getContentHash({ audience, title, message }),
      through: end.position,
      counted: size.total,
    },
    duplicates: Math.max(0, end.submissions - size.total),
    unknownFields: unknownMergeFields(`${title}\n${message}`),
    durationMs: ratePerSecond > 0 ? (size.mailable / ratePerSecond) * 1000 : undefined,
    isWithoutConsent: audience === "contact-form",
    lacksPostalAddress: postalAddress === "",
    localOrigin,
  };
}
