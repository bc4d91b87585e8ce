import { data } from "@remix-run/node";
import { z } from "zod";
import { operatorMessages } from "~/content/operator-messages";
import type { NoticeCode } from "~/content/operator-messages";
import { report } from "~/http/action-result.server";
import { readForm } from "~/http/form-data.server";
import { getReturnPath, seeOther } from "~/http/redirects.server";
import { getRequestOrigin, getRequestId } from "~/http/request-context.server";
import { paths } from "~/paths";
import type { PasswordChange } from "~/services/accounts/accounts.server";
import { BUSY_RETRY_SECONDS } from "~/services/accounts/password-hasher";
import { accounts, passwordPolicy, sessionCookie } from "~/services/container.server";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { serverBridge } from "../../../server/bridge";

const copy = operatorMessages.password;
const { fields } = copy;
const problems = copy.problems(passwordPolicy.minLength);

const WELCOME: NoticeCode = "welcome";

type Field = "current" | "next" | "confirm";
export interface PasswordAnswer {
  message: string;
  /** A second sentence in the banner, where no field is at fault. */
  advice?: string;
  errors: Partial<Record<Field, string>>;
}

/** Treats a missing or repeated field as empty. Passwords are taken as typed: never trimmed, never echoed. */
const typedPassword = z.string().catch("");
const formSchema = z.object({ current: typedPassword, next: typedPassword, confirm: typedPassword });

/**
 * Changes the account's own password and replaces the session's id in this browser. After a temporary
 * password, continues to the page that was requested.
 */
export async function submitPasswordChange(person: SignedIn, request: Request) {
  const form = formSchema.parse(await readForm(request));
  const refused = getRefusal(form);
  if (refused) return data(refused, { status: 422 });

  try {
    const outcome = await accounts.changePassword(person, form, getRequestOrigin(request));
    if (outcome.ok) {
      serverBridge().logger.info({ id: getRequestId() }, copy.endpoint.updated);
      const headers = { "Set-Cookie": await sessionCookie.issue(outcome.sessionId) };
      if (!person.passwordIsTemporary) return report("password-changed", paths.passwordReset, {}, headers);
      const path = getReturnPath(request);
      return seeOther(`${path}${path.includes("?") ? "&" : "?"}notice=${WELCOME}`, headers);
    }
    if (outcome.error === "signed-out") return redirectToLogin();
    const { answer, status } = RESPONSES[outcome.error];
    const headers: Record<string, string> = {};
    if (outcome.error === "throttled") headers["Retry-After"] = String(outcome.retryAfterSeconds);
    if (outcome.error === "busy") headers["Retry-After"] = String(BUSY_RETRY_SECONDS);
    return data(answer, { status, headers });
  } catch (err) {
    serverBridge().logger.error({ err, id: getRequestId() }, copy.endpoint.notUpdated);
    return data<PasswordAnswer>({ message: copy.exception, errors: {} }, { status: 500 });
  }
}

/** Redirects to the login, which says that nobody is logged in (specification, section 5) and returns here. */
export function redirectToLogin(): Response {
  return report("no-user", paths.login, { redirectTo: paths.passwordReset });
}

function getRefusal({ current, next, confirm }: z.infer<typeof formSchema>): PasswordAnswer | undefined {
  const errors: PasswordAnswer["errors"] = {};
  if (current === "") errors.current = fields["current-missing"];
  if (next === "") errors.next = fields["next-missing"];
  if (confirm === "") errors.confirm = fields["confirm-missing"];
  if (Object.keys(errors).length > 0) return { message: copy.failed, errors };
  if (next !== confirm) return { message: copy.mismatch, errors: { confirm: fields["confirm-differs"] } };
  return undefined;
}

type Refusal = Exclude<Extract<PasswordChange, { ok: false }>["error"], "signed-out">;

const RESPONSES: Record<Refusal, { answer: PasswordAnswer; status: number }> = {
  "wrong-password": fault({ current: fields["current-wrong"] }),
  "same-password": fault({ next: fields["next-same"] }),
  "too-short": fault({ next: problems["too-short"] }),
  "too-long": fault({ next: problems["too-long"] }),
  common: fault({ next: problems.common }),
  brand: fault({ next: problems.brand }),
  // The form had no error: these are the account endpoint's messages.
  throttled: {
    answer: { message: copy.endpoint.notUpdated, advice: copy.throttled, errors: {} },
    status: 429,
  },
  busy: { answer: { message: copy.endpoint.notUpdated, advice: copy.busy, errors: {} }, status: 503 },
};

function fault(errors: PasswordAnswer["errors"]) {
  return { answer: { message: copy.failed, errors }, status: 422 };
}
