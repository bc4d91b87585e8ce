import { brand } from "~/content/brand";

/** What people agree to with each form. Stored with each submission: a changed wording needs a new version. */
export const consents = {
  earlyAccess: {
    version: "2026-11",
    wording:
      "By signing up you agree that we keep these details and write to you about early access. Every email has a link to unsubscribe.",
  },
  updates: {
    version: "2026-11",
    wording: `By signing up you agree that we keep these details and write to you about ${brand.name}. Every email has a link to unsubscribe.`,
  },
  contact: {
    version: "2026-11",
    wording:
      "By sending this you agree that we keep these details and write to you about your inquiry. Every email has a link to unsubscribe.",
  },
} as const;

export type Consent = (typeof consents)[keyof typeof consents];
