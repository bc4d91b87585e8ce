/**
 * What people agree to when they sign up for early access. Stored with each signup: a changed wording needs a new version.
 */
export const EARLY_ACCESS_CONSENT = {
  version: "2026-11",
  wording:
    "By signing up you agree that we keep these details and write to you about early access. Every mail has a link to unsubscribe.",
} as const;
