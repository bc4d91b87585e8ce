import { data, type HeadersFunction } from "@remix-run/node";
import type { NoticeCode } from "~/content/notices";
import { linkTo, type UrlState } from "./list-state";
import { seeOther } from "./redirects.server";

/**
 * Redirects (303) to a screen that shows the notice (component Notice), or without one shows the result itself.
 * @param state other parameters that the screen's URL keeps.
 */
export function report(
  notice: NoticeCode | undefined,
  path: string,
  state: UrlState = {},
  headers?: Record<string, string>,
): Response {
  return seeOther(linkTo(path, { ...state, notice }), headers);
}

/** A route's `headers`: documents get those of its action's response, such as Retry-After. */
export const passActionHeaders: HeadersFunction = ({ actionHeaders }) => actionHeaders;

/** The response to a form that has to be corrected or sent again. Nothing was changed. */
export interface Refusal<Form extends string = string> {
  readonly kind: "refused";
  readonly form: Form;
  /** The error of the form as a whole, with advice in `advice`; component Notice shows both. */
  readonly message?: string | undefined;
  readonly advice?: string | undefined;
}

/** Responds with the form as sent. @param detail typed values (never a password), errors of fields, or `message`. */
export function refuse<const Form extends string, Detail extends object>(
  form: Form,
  detail: Detail & Pick<Refusal, "message" | "advice">,
  { status = 422, retryAfterSeconds }: { status?: number; retryAfterSeconds?: number | undefined } = {},
) {
  const headers = new Headers();
  if (retryAfterSeconds !== undefined) headers.set("Retry-After", String(retryAfterSeconds));
  return data({ ...detail, kind: "refused" as const, form }, { status, headers });
}
