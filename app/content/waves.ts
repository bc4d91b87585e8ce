import type { WaveState } from "~/lib/wave-states";
import { formatCount, grouped } from "~/lib/format-number";
import type { InvitationFilter } from "~/services/people/people-filter";

const people = (count: number) => formatCount(count, "person", "people");

/** Where a person is between the waiting list and the product. */
const states: Record<WaveState, string> = {
  waiting: "Waiting",
  invited: "Invited",
  joined: "Joined",
  undeliverable: "Undeliverable",
};

/** Whose link had expired. */
const asked = "Asked for a new link";

/** Texts of the waves, which let people in from the waiting list. */
export const waveMessages = {
  wave: (number: number) => `Wave ${grouped(number)}`,
  states,
  asked,
  /** What the list of people filters by. */
  filters: { ...states, asked } satisfies Record<InvitationFilter, string>,
  /** Of a wave whose emails are not all accepted yet. */
  reserved: "Reserved",
  figures: "People of this wave",
  /** @param share such as "46.2%", of all whose invitation did not come back, as in the funnel. */
  joinedRate: (share: string) => `${share} of invited`,
  undeliverableRate: (share: string) => `${share} of emails`,
  csv: { wave: "Wave", invited: "Invited", joined: "Joined" },
  /** Before a wave is confirmed. */
  preflight: (count: number) =>
    `This is a wave: ${people(count)} ${count === 1 ? "gets an invitation of their own" : "get an invitation each"}. Nobody is invited twice, so whoever has one already is left out.`,
  changedAdvice:
    "A colleague’s wave may have taken some of them. Please check the new number and confirm again.",
  /** The facts of a person's page. */
  person: {
    title: "Invitation",
    waiting: "Not invited yet.",
    reserved: "Reserved for",
    invited: "Invited",
    joined: "Joined",
    joinedAs: "with another address:",
    undeliverable: "The email came back.",
    /** Beside the state: of which wave. */
    by: "in",
    opened: "Opened (may be a scanner)",
    revoked: "Revoked",
    expired: "Expired",
    expires: "Expires",
    asked,
    withoutWave: "without an invitation",
    revoke: "Revoke",
    resend: "Send again",
  },
  revoking: {
    question: "Revoke this invitation?",
    text: "Its link stops working, also for somebody who has it open. You can send another one.",
    yes: "Revoke invitation",
    no: "Keep it",
  },
  resending: {
    question: "Send this invitation again?",
    text: (address: string) =>
      `${address} gets the text of the wave again, with a new link. The link before stops working.`,
    yes: "Send again",
    no: "Cancel",
  },
} as const;
