import type { Generated } from "kysely";
import type { Repeats } from "~/lib/repeats";
import type { EpochMs } from "./columns";

export type WaveInvitationState = "reserved" | "invited" | "joined" | "undeliverable";

/** Invitations of people from the waiting list: a row for each person, for ever. They go with the person. */
export interface WaveInvitationsTable {
  id: string;
  /** Unique. */
  person_id: string;
  /** The wave; null: they joined without an invitation. */
  campaign_id: string | null;
  /** Part of the link: a higher one ends the links before. */
  issue: Generated<number>;
  /**
   * - "reserved": in a wave whose email was not accepted by the mail server yet. They still wait.
   * - "invited": the mail server accepted the email, or may have.
   * - "joined": the application said so.
   * - "undeliverable": the email was accepted, and came back for good.
   */
  state: WaveInvitationState;
  reserved_at: EpochMs | null;
  /** Time the email of the newest link was accepted. */
  invited_at: EpochMs | null;
  /** A hint: a browser opened the link, or a scanner that looks like one. */
  opened_at: EpochMs | null;
  /** An operator ended the link. */
  revoked_at: EpochMs | null;
  /** The person asked for a new link when theirs had expired. */
  asked_at: EpochMs | null;
  joined_at: EpochMs | null;
  /** Address of the account, in lower case, as the application says; empty when it said none, or the invited one. */
  joined_email: Generated<string>;
  /** Their reminder was queued, or was due when a backup was restored: there is none after that. */
  reminded_at: EpochMs | null;
}

/** Waves that repeat until nobody is left. Each run is a campaign of its own, with the text and audience of the one before. */
export interface WavePlansTable {
  id: string;
  repeats: Repeats;
  /** Minutes after midnight in `time_zone`. */
  minute: number;
  time_zone: string;
  /** When the next wave is confirmed; null once it ended. */
  next_at: EpochMs | null;
  /** Id of the campaign that is being confirmed as the next wave; null between two waves. */
  run_id: string | null;
  /** The last wave. */
  last_id: string;
  /**
   * Why it ended; empty while it repeats.
   * - "empty": nobody was left.
   * - "bounced": too many emails of the last wave failed or came back.
   * - "refused": the last wave paused by itself, because nearly all recipients were refused.
   * - "unsendable": the text has a field that there is not, as without INVITE_URL.
   * - "edited", "cancelled": an operator did that to the last wave.
   * - "stopped": an operator stopped it.
   * - "restored": a backup was restored.
   */
  ended: Generated<"" | PlanEnd>;
  created_by: string;
  created_at: EpochMs;
}

export type PlanEnd =
  "empty" | "bounced" | "refused" | "unsendable" | "edited" | "cancelled" | "stopped" | "restored";

export interface WaveTables {
  wave_plans: WavePlansTable;
  wave_invitations: WaveInvitationsTable;
}
