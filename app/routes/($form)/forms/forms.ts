import { brand } from "~/content/brand";
import { messages } from "~/content/messages";
import type { Refusal } from "~/http/action-result.server";
import { anchors, paths } from "~/paths";

/** The three forms, by the last part of their addresses. The consent is stored: a changed wording needs a new version. */
export const forms = {
  "early-access": {
    path: paths.earlyAccess,
    fragment: "",
    title: `Sign up for early access · ${brand.name}`,
    description: `Be among the first teams to try ${brand.name}.`,
    consent: {
      version: "2026-11",
      wording:
        "By signing up you agree that we keep these details and write to you about early access. Every email has a link to unsubscribe.",
    },
  },
  updates: {
    path: paths.updates,
    fragment: "",
    title: `Stay updated on ${brand.name}`,
    description: `A short email when something about ${brand.name} is finished, at most once a month.`,
    consent: {
      version: "2026-11",
      wording: `By signing up you agree that we keep these details and write to you about ${brand.name}. Every email has a link to unsubscribe.`,
    },
  },
  contact: {
    path: paths.contact,
    // The form answers in place: without JavaScript the fragment scrolls back to it.
    fragment: `#${anchors.contact}`,
    title: `Contact · ${brand.name}`,
    description: `Questions, feedback or partnership ideas: write to the people who build ${brand.name}.`,
    consent: {
      version: "2026-11",
      wording:
        "By sending this you agree that we keep these details and write to you about your inquiry. Every email has a link to unsubscribe.",
    },
  },
};

export type FormName = keyof typeof forms;

export function isFormName(value: string | undefined): value is FormName {
  return value !== undefined && Object.hasOwn(forms, value);
}

/** Longest message of the contact form, in code points (product.md, "Visitors"). */
export const MESSAGE_MAX_LENGTH = 5000;

/** The action's response to a form that was not stored; a stored one redirects to its success message. */
export interface FormAnswer extends Refusal<FormName> {
  values: Readonly<Record<string, string>>;
  /** One sentence for each invalid field. */
  errors: Readonly<Record<string, string | undefined>>;
  /** The stamp for the next attempt: the submitted one, so that a quick correction passes, or a fresh one. */
  stamp: string;
}

/** Returns what a form shows when no answer came (app/components/keep-form.ts): its own failure, and what was typed. */
export function getUnansweredForm({
  values,
  params,
}: {
  values: FormAnswer["values"];
  params: { form?: string };
}) {
  const { earlyAccess, updates, contact } = messages.signup;
  const failures = {
    "early-access": earlyAccess.failure,
    updates: updates.failure,
    contact: contact.failure,
  };
  const form = isFormName(params.form) ? params.form : "contact";
  return { form, message: failures[form], stamp: values.stamp ?? "" };
}

export interface FormState {
  /** The signed render time, submitted with the form. */
  stamp: string;
  answer: FormAnswer | undefined;
  /** True when the form was stored. */
  thanked: boolean;
}

/** The notice code in the URL after a form was stored: /updates?notice=registered. */
export const THANKS_CODE = "registered";
