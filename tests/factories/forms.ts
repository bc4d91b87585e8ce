import type { FormCircumstances } from "~/services/signups/signups.server";

/** How an honest visitor's form arrives; give what differs. */
export function circumstances(stamp: string, differing: Partial<FormCircumstances> = {}): FormCircumstances {
  return {
    honeypot: "",
    stamp,
    consent: { wording: "You may write to me.", version: "2026-11" },
    address: "203.0.113.9",
    ...differing,
  };
}
