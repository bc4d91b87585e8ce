import { data } from "@remix-run/node";
import { z } from "zod";
import { invitationMessages as copy } from "~/content/invitations";
import { emailField, parseForm, textField, type FieldErrors, type FormValues } from "~/lib/parse-form";
import { paths } from "~/paths";
import type { createInvitations, IssuedInvitation } from "~/services/invitations/invitations.server";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { refuse, type Refusal } from "./action-result.server";
import { seeOther } from "./redirects.server";
import { getRequestOrigin, logError } from "./request-context.server";

const newInvitation = z.object({
  email: emailField({ label: "the email address" }),
  fullName: textField({ label: "the full name", max: 200, required: true }),
});

/** The answer that shows a new link, in clear. */
export interface InvitedAnswer extends Omit<IssuedInvitation, "ok"> {
  readonly kind: "invited";
}

export interface RefusedInvitation extends Refusal<"invitation"> {
  readonly fields: {
    readonly values: z.infer<typeof newInvitation>;
    readonly errors: FieldErrors<keyof z.infer<typeof newInvitation>>;
    readonly isEmailed: boolean;
  };
}

type Invitations = Pick<ReturnType<typeof createInvitations>, "invite">;

/** Invites a colleague by the form of InvitationForm. */
export async function inviteColleague(
  invitations: Invitations,
  form: FormValues,
  request: Request,
  operator: SignedIn,
) {
  const isEmailed = form.isEmailed === "on";
  const parsed = parseForm(newInvitation, form);
  if (!parsed.ok) {
    const { email = "", fullName = "" } = parsed.values;
    const fields = { values: { email, fullName }, errors: parsed.errors, isEmailed };
    return refuse("invitation", { message: copy.notInvited, fields });
  }
  const fields = { values: parsed.value, errors: {}, isEmailed };
  try {
    const input = { ...parsed.value, isEmailed };
    const outcome = await invitations.invite(operator, input, getRequestOrigin(request));
    if (outcome.ok) return showInvitation(outcome);
    if (outcome.error === "unauthorized") return seeOther(paths.unauthorized);
    const advice = copy.refusals[outcome.error];
    return refuse("invitation", { message: copy.notInvited, advice, fields }, { status: 409 });
  } catch (err) {
    logError(err, "a colleague could not be invited");
    const refusal = { message: copy.failed, advice: copy.failedAdvice, fields };
    return refuse("invitation", refusal, { status: 503 });
  }
}

/** The one response that holds a link. It answers a POST, so nothing stores it. */
export function showInvitation({ ok: _, ...issued }: IssuedInvitation) {
  return data<InvitedAnswer>({ kind: "invited", ...issued });
}
