import { waveMessages } from "~/content/waves";
import { grouped } from "~/lib/format-number";

export const campaignsMessages = {
  title: "Campaigns",
  state: "Emails to a group: drafts, in progress and sent.",
  write: "Write a campaign",
  seeAll: "All campaigns and drafts",
  drafts: "Drafts",
  noTitle: "No title yet",
  savedBy: (author: string) => `Saved by ${author}`,
  draftRetention: (days: number) => `Drafts are deleted ${days} days after their last change.`,
  listTitle: "Confirmed campaigns",
  columns: {
    title: "Title",
    group: "Audience",
    state: "Status",
    sent: "Sent",
    by: "Written by",
    at: "Confirmed",
  },
  /**
   * @param narrowing as `campaigns` has it: empty for the whole group.
   * @param wave its number; null or left out for a campaign that invites nobody.
   */
  group: (audience: string, narrowing: string, wave: number | null = null) => {
    if (wave !== null) return `${waveMessages.wave(wave)} of ${audience}`;
    return narrowing === "" ? audience : `Some of ${audience}`;
  },
  /** "2,539 of 2,684" */
  sentCount: (sent: number, selected: number) => `${grouped(sent)} of ${grouped(selected)}`,
  delivery: { label: "Delivery", sent: "sent", failed: "failed", rest: "not sent, or uncertain" },
  failed: (failed: number) => `${grouped(failed)} failed`,
  emptyTitle: "No campaigns yet",
  empty: "Write the first one on the dashboard. It appears here with its results.",
} as const;
