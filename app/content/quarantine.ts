import { grouped } from "~/lib/format-number";
import { counts, submissions } from "./submissions";

/** Texts of the Quarantine screen, about submissions that look automated. */
export const quarantineMessages = {
  toReview: (count: number) =>
    `${submissions(count)} ${count === 1 ? "looks automated and needs" : "look automated and need"} your review.`,
  /** The reasons for suspicion, in the column and in the filter. */
  reasons: {
    honeypot: { cell: "Filled in the hidden field", filter: "Hidden field" },
    "too-fast": { cell: "Sent within two seconds", filter: "Too fast" },
    "forged-form": { cell: "Not sent from our form", filter: "Not our form" },
  },
  allThatMatch: (count: number) => `All ${grouped(count)} that match`,
  actions: { release: "Release", purge: "Purge" },
  consequence: {
    release:
      "join the other submissions of their form, and their senders will get your emails. They cannot be moved back into quarantine.",
    purge: "will be deleted permanently, together with their consent records. This cannot be undone.",
  },
  andMore: (count: number) => `and ${grouped(count)} more`,
  of: counts,
} as const;
