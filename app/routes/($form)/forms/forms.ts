import { brand } from "~/content/brand";
import { anchors, paths } from "~/paths";

/**
 * The page's three forms, each named by the last part of its address. Title and description are those of the address. The consent is
 * stored with each submission: a changed wording needs a new version.
 */
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
    // The form answers where it stands: without JavaScript the fragment leads back to it.
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

/** The action's answer to a form that was not stored; one that was stored leads to its thanks. */
export interface FormAnswer {
  /** What was typed, by field. */
  values: Readonly<Record<string, string>>;
  /** One sentence for each field that is wrong. */
  errors: Readonly<Record<string, string | undefined>>;
  /** One sentence for a failure that belongs to no field. */
  failure: string | undefined;
  /** For the next try: the stamp that was sent, so that a quick correction is not taken for a bot's, or a fresh one. */
  stamp: string;
}

export interface FormState {
  /** The signed render time; goes back with the form. */
  stamp: string;
  answer: FormAnswer | undefined;
  /** Whether the form was stored. */
  thanked: boolean;
}

/** The code in the URL a stored form leads to: /updates?notice=registered. */
export const THANKS_CODE = "registered";
