/** Reasons for taking a submission for automated, in display order (hardening C27). */
export const QUARANTINE_REASONS = ["honeypot", "too-fast", "forged-form"] as const;

export type QuarantineReason = (typeof QUARANTINE_REASONS)[number];
