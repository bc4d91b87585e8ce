import { messages } from "~/content/messages";
import type { Refusal } from "~/http/action-result.server";
import { anchors, paths } from "~/paths";

/** The three forms, by the last part of their addresses. */
export const forms = {
  "early-access": { path: paths.earlyAccess, fragment: "" },
  updates: { path: paths.updates, fragment: "" },
  // The form answers in place: without JavaScript the fragment scrolls back to it.
  contact: { path: paths.contact, fragment: `#${anchors.contact}` },
};

export type FormName = keyof typeof forms;

export function isFormName(value: string | undefined): value is FormName {
  return value !== undefined && Object.hasOwn(forms, value);
}

/** The action's response to a form that was not stored; a stored one redirects to its success message. */
export interface FormAnswer extends Refusal<FormName> {
  values: Readonly<Record<string, string>>;
  /** One sentence for each invalid field. */
  errors: Readonly<Record<string, string | undefined>>;
  /** The stamp for the next attempt: the submitted one, so that a quick correction passes, or a fresh one. */
  stamp: string;
}

/** Returns what `keepForm` cannot know of a form that got no answer: its name, its failure and its stamp. */
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
  // Each form posts to its own address; the type does not know.
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
