import { grouped } from "~/lib/format-number";

/** Texts of the Campaigns screen. */
export const campaignsMessages = {
  seeAll: "All campaigns and drafts",
  noTitle: "No title yet",
  /** "2,539 of 2,684" */
  sentCount: (sent: number, selected: number) => `${grouped(sent)} of ${grouped(selected)}`,
  failed: (failed: number) => `${grouped(failed)} failed`,
} as const;
