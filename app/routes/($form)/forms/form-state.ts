import { paths } from "~/paths";

/** The page's three forms. A form's name is the last part of its address: /early-access, /updates, /contact. */
export const formPaths = {
  "early-access": paths.earlyAccess,
  updates: paths.updates,
  contact: paths.contact,
} as const;

export type FormName = keyof typeof formPaths;

export function isFormName(value: string | undefined): value is FormName {
  return value !== undefined && Object.hasOwn(formPaths, value);
}

/** What the action says of a form that was not stored; one that was stored leads to its thanks. */
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

/** What a form shows. Idle is: no answer, no thanks. */
export interface FormState {
  /** The signed render time; goes back with the form. */
  stamp: string;
  answer: FormAnswer | undefined;
  /** The form was stored: say thanks. */
  thanked: boolean;
}

/** The code in the URL a stored form leads to: /updates?notice=registered. */
export const THANKS_CODE = "registered";
