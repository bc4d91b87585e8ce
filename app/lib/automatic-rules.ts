import type { SubmissionKind } from "./form-fields";
import type { MergeField } from "./merge-fields";

/** The emails that answer a form by themselves, each once a person. */
export const AUTOMATIC_RULES = ["thank-you", "welcome", "receipt"] as const;
export type AutomaticRule = (typeof AUTOMATIC_RULES)[number];

/** The rule that answers each form. */
export const RULE_OF_FORM: Readonly<Record<SubmissionKind, AutomaticRule>> = {
  "early-access": "thank-you",
  "updates-signup": "welcome",
  "contact-form": "receipt",
};

/** The form that each rule answers. */
export const FORM_OF_RULE: Readonly<Record<AutomaticRule, SubmissionKind>> = {
  "thank-you": "early-access",
  welcome: "updates-signup",
  receipt: "contact-form",
};

/**
 * The fields of each rule's text. Anybody can type anything beside somebody else's address, so thank-you and receipt
 * carry the first name alone (hardening C42). A receipt has no link to unsubscribe, because its reader is on no list.
 */
export const FIELDS_OF_RULE: Readonly<Record<AutomaticRule, readonly MergeField[]>> = {
  "thank-you": ["first_name", "email", "unsubscribe_link"],
  welcome: ["first_name", "name", "company", "role", "email", "unsubscribe_link"],
  receipt: ["first_name", "email"],
};

/** Returns whether a text is the name of a rule. */
export const isAutomaticRule = (text: string): text is AutomaticRule =>
  AUTOMATIC_RULES.some((rule) => rule === text);
