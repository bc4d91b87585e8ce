import { formatCount, grouped } from "~/lib/format-number";
import type { SubmissionKind } from "~/lib/form-fields";
import type { WaveState } from "~/lib/wave-states";
import type { Narrowing } from "~/services/audiences/narrowing";
import { waveMessages } from "./waves";

const people = (count: number) => formatCount(count, "person", "people");

/** Who sent a form, at the start of a sentence. */
const GROUPS: Record<SubmissionKind, string> = {
  "early-access": "People waiting for early access",
  "contact-form": "People who asked something",
  "updates-signup": "People who want updates",
};

/** Who has a role, at the start of a sentence. */
const ROLES: Record<NonNullable<Narrowing["role"]>, string> = {
  executive: "Executives",
  manager: "Managers",
  developer: "Developers",
  other: "People with another role",
};

/** The same of several people, in a sentence. */
const INVITED: Record<WaveState, string> = {
  waiting: "not invited yet",
  invited: "invited and not joined",
  joined: "joined",
  undeliverable: "whose invitation came back",
};

const receipts = {
  sent: "Got it",
  failed: "It failed",
  skipped: "Was skipped",
  any: "Was a recipient",
  none: "Did not get it",
  invitation: "Has its invitation",
};
const { sent: _, ...otherReceipts } = receipts;

export const audienceMessages = {
  narrowDown: "Narrow down",
  /** The folded line. @param count undefined: not counted. */
  chosen: (words: string, count: number | undefined) =>
    count === undefined ? words : `${words} – ${people(count)}`,
  counting: "Counting…",
  refused: "Not counted: please check the fields.",
  everybody: "Everybody in this group",
  notACount: (max: number) => `Please enter a whole number from 1 to ${grouped(max)}.`,
  notACampaign: "Please choose one of the campaigns.",
  noCampaign: "Please choose the campaign as well.",
  campaign: "Campaign",
  anyCampaign: "Any or none",
  got: "Its delivery",
  receipts,
  /** Beside "Got it", which is what an empty choice means. */
  otherReceipts,
  invitation: "Invitation",
  anyInvitation: "Any",
  invitations: waveMessages.states,
  zone: (timeZone: string) => `The days are those of ${timeZone}.`,
  pick: "Order",
  orders: { oldest: "Oldest first" },
  otherOrders: { newest: "Newest first", spread: "Spread over domains" },
  limit: "At most",
  perDomain: "At most per domain",
  all: "All",
  nobody: "Nobody matches who can get this email.",
  firstFive: "The first of them",
  beyondLimit: (count: number) =>
    `${grouped(count)} more ${count === 1 ? "matches" : "match"}, beyond the limit.`,
  leftOut: (count: number) =>
    `${people(count)} who match ${count === 1 ? "is" : "are"} left out: unsubscribed or on the suppression list.`,
  changed: (counted: number, now: number) =>
    `The audience changed since it was counted: it had ${people(counted)}, and now has ${people(now)}. Nothing was sent.`,
  changedAdvice: "Please check the new number and confirm again.",
  tooLarge: (max: number) =>
    `A narrowed audience has at most ${people(max)}, so nothing was sent. Please set a smaller limit, or write to the whole group.`,
  /** After an update. */
  incomplete:
    "People from before the update are still being added, so nothing was sent. Please try again in some minutes, or write to the whole group.",
  /** On the list of people. @param count "many": over 10,000; undefined: not counted. */
  writeTo: (count: number | "many" | undefined) => {
    const words = count === "many" ? "10,000+" : count && grouped(count);
    return words ? `Write to these ${words}` : "Write to these";
  },
  cannotWrite: {
    search: "A search cannot be written to: use the filters instead.",
    noForm: "Nobody without an accepted form can be written to.",
    suppressed: "These get no emails, so they cannot be written to.",
    asked: "Send these their invitation again from their page.",
    anyForm: "Choose a form: a campaign goes to one group.",
  },
} as const;

/**
 * Returns a narrowing in words: "Developers at companies like “acme”, the oldest 200".
 * @param titles of campaigns by their ids.
 */
export function describeAudience(
  kind: SubmissionKind,
  narrowing: Narrowing,
  titles: ReadonlyMap<string, string> = new Map(),
): string {
  const { role, company, domain, source, confirmed, campaign, invitation } = narrowing;
  const { order, limit, perDomain } = narrowing;
  if (isWholeGroup(narrowing)) return audienceMessages.everybody;
  const who = [
    role ? ROLES[role] : GROUPS[kind],
    company && `at companies like “${company}”`,
    domain && `with addresses at ${domain}`,
    source && `from ${source}`,
  ].filter(Boolean);
  const parts = [
    who.join(" "),
    confirmed && (confirmed === "yes" ? "address confirmed" : "address not confirmed"),
    campaign && describeReceipt(campaign, titles),
    invitation && INVITED[invitation],
    describeDays(narrowing),
    describeLimit(order, limit),
    perDomain && `at most ${grouped(perDomain)} of a domain`,
  ];
  return parts.filter(Boolean).join(", ");
}

/** Returns whether nothing narrows the group: nobody is filtered out, and they are in their own order. */
const isWholeGroup = ({ order, ...rest }: Narrowing) =>
  order === "oldest" && Object.values(rest).every((value) => value === undefined);

function describeReceipt(
  { id, got }: NonNullable<Narrowing["campaign"]>,
  titles: ReadonlyMap<string, string>,
) {
  const title = titles.get(id);
  const campaign = title === undefined ? "a campaign that is gone" : `“${title}”`;
  const words = {
    sent: `got ${campaign}`,
    failed: `${campaign} failed`,
    skipped: `skipped by ${campaign}`,
    any: `a recipient of ${campaign}`,
    none: `did not get ${campaign}`,
    invitation: `with the invitation of ${campaign}`,
  };
  return words[got];
}

function describeDays({ from, to, timeZone }: Narrowing): string | undefined {
  if (from && to) return `signed up from ${from} to ${to} (${timeZone ?? "UTC"})`;
  if (from) return `signed up since ${from} (${timeZone ?? "UTC"})`;
  return to && `signed up until ${to} (${timeZone ?? "UTC"})`;
}

function describeLimit(order: Narrowing["order"], limit: number | undefined): string | undefined {
  if (order === "spread") {
    return limit === undefined ? "spread over domains" : `${grouped(limit)} spread over domains`;
  }
  if (limit !== undefined) return `the ${order} ${grouped(limit)}`;
  return order === "newest" ? "newest first" : undefined;
}
