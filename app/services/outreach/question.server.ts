import { createHash } from "node:crypto";
import type { Campaign } from "./campaigns.server";

/** What the question before a campaign fixes, and its answer confirms: these words to exactly these people. */
export interface Question {
  /** Of the content that was shown; see getContentHash. */
  readonly contentHash: string;
  /** Audience position of the last submission that was counted. */
  readonly through: number;
  /** Distinct addresses up to it, those that will be skipped included. */
  readonly counted: number;
}

/** SHA-256 of what a campaign says and to whom, hex; as the audit keeps it of the confirmed one (hardening C30). */
export function getContentHash({
  audience,
  title,
  message,
}: Pick<Campaign, "audience" | "title" | "message">): string {
  return createHash("sha256")
    .update(JSON.stringify([audience, title, message]))
    .digest("hex");
}
