/** Why a submission is taken for a program's, in the order they are listed (hardening C27). */
export const QUARANTINE_REASONS = ["honeypot", "too-fast", "forged-form"] as const;

export type QuarantineReason = (typeof QUARANTINE_REASONS)[number];
