import { data } from "@remix-run/node";
import { z } from "zod";
import { readForm } from "~/form-data.server";
import { messages } from "~/messages";
import { paths } from "~/paths";
import { seeOther } from "~/redirects.server";
import { originOf, requestId } from "~/request-context.server";
import { accounts, sessionCookie } from "~/services/container.server";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { serverBridge } from "../../../server/bridge";

const { fields, mismatch, failed, exception, throttled, busy } = messages.password;

/** The longest password the login form takes. */
const LONGEST = 1000;
const SHORTEST = 6;

type Field = "current" | "next" | "confirm";
export interface PasswordAnswer {
  message: string;
  /** A second sentence in the banner, where no field is at fault. */
  advice?: string;
  errors: Partial<Record<Field, string>>;
}

/** A field that is missing or came twice is an empty one. Passwords are taken as typed, never trimmed, never echoed. */
const typedPassword = z.string().catch("");
const formSchema = z.object({ current: typedPassword, next: typedPassword, confirm: typedPassword });

/** Changes the person's own password; the session's new id replaces the old one in this browser. */
export async function submitPasswordChange(person: SignedIn, request: Request) {
  const form = formSchema.parse(await readForm(request));
  const refused = refusalOf(form);
  if (refused) return data(refused, { status: 422 });

  try {
    const outcome = await accounts.changePassword(person, form, originOf(request));
    if (outcome.ok) {
      return seeOther(`${paths.passwordReset}?notice=password-changed`, {
        "Set-Cookie": await sessionCookie.issue(outcome.sessionId),
      });
    }
    const { answer, status } = ANSWERS[outcome.error];
    const headers =
      outcome.error === "throttled" ? { "Retry-After": String(outcome.retryAfterSeconds) } : undefined;
    return data(answer, { status, ...(headers && { headers }) });
  } catch (err) {
    serverBridge().logger.error({ err, id: requestId() }, "a password could not be changed");
    return data<PasswordAnswer>({ message: exception, errors: {} }, { status: 500 });
  }
}

function refusalOf({ current, next, confirm }: z.infer<typeof formSchema>): PasswordAnswer | undefined {
  const errors: PasswordAnswer["errors"] = {};
  if (current === "") errors.current = fields["current-missing"];
  if (next === "") errors.next = fields["next-missing"];
  else if ([...next].length < SHORTEST) errors.next = fields["next-short"];
  else if (next.length > LONGEST) errors.next = fields["next-long"];
  if (confirm === "") errors.confirm = fields["confirm-missing"];
  if (Object.keys(errors).length > 0) return { message: failed, errors };
  if (next !== confirm) return { message: mismatch, errors: { confirm: fields["confirm-differs"] } };
  return undefined;
}

const ANSWERS: Record<
  "wrong-password" | "same-password" | "busy" | "throttled",
  { answer: PasswordAnswer; status: number }
> = {
  "wrong-password": {
    answer: { message: failed, errors: { current: fields["current-wrong"] } },
    status: 422,
  },
  "same-password": { answer: { message: failed, errors: { next: fields["next-same"] } }, status: 422 },
  throttled: { answer: { message: failed, advice: throttled, errors: {} }, status: 429 },
  busy: { answer: { message: failed, advice: busy, errors: {} }, status: 503 },
};
