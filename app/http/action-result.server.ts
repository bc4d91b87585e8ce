import { data } from "@remix-run/node";
import type { NoticeCode } from "~/content/operator-messages";
import { linkTo } from "./list-state";
import type { UrlState } from "./list-state";
import { seeOther } from "./redirects.server";

/**
 * Ends an action that is settled, done or not: 303 to a screen, which says the notice's sentence (component Notice).
 * @param notice left out where the screen shows by itself what became of it
 * @param state what else the screen's URL keeps
 */
export function report(
  notice: NoticeCode | undefined,
  path: string,
  state: UrlState = {},
  headers?: Record<string, string>,
): Response {
  return seeOther(linkTo(path, { ...state, notice }), headers);
}

/** Answers a form that is to be corrected or sent again. Nothing was changed. */
export interface Refusal<Form extends string = string> {
  readonly kind: "refused";
  /** Which form of the page it answers. */
  readonly form: Form;
  /** What is wrong with the whole form, and what to do about it; component Notice says both. */
  readonly message?: string | undefined;
  readonly advice?: string | undefined;
}

/**
 * Shows a form again as it was sent.
 * @param detail what was typed (never a password), what is wrong with which field, or `message` and `advice` about the whole
 */
export function refuse<const Form extends string, Detail extends object>(
  form: Form,
  detail: Detail & Pick<Refusal, "message" | "advice">,
  { status = 422, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
) {
  return data({ ...detail, kind: "refused" as const, form }, { status, headers });
}
