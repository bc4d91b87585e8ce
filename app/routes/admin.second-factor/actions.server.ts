import { data } from "@remix-run/node";
import { readForm } from "~/http/form-data.server";
import { typed } from "~/lib/parse-form";
import type { NoticeCode } from "~/content/operator-messages";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";
import { seeOther } from "~/http/redirects.server";
import { originOf } from "~/http/request-context.server";
import { secondFactor } from "~/services/container.server";
import { BUSY_RETRY_SECONDS } from "~/services/accounts/password-hasher";
import type { Codes, TurningOff } from "~/services/second-factor/second-factor.server";
import type { SignedIn } from "~/services/sessions/sessions.server";

const copy = operatorMessages.secondFactor;
const password = operatorMessages.password;

export type SecondFactorAnswer =
  /** The one answer that holds recovery codes. It is the answer to a POST, which nothing stores. */
  | { kind: "issued"; isRenewed: boolean; recoveryCodes: string[] }
  | {
      kind: "refused";
      message: string;
      advice?: string;
      errors: { code?: string; password?: string };
    };

/** The buttons of the page, by the name of what they do. */
export async function actOnSecondFactor(request: Request, person: SignedIn) {
  const { intent = "", code = "", ...given } = typed(await readForm(request));
  switch (intent) {
    case "begin":
      return begin(request, person, given.password ?? "");
    case "abandon":
      await secondFactor.abandon(person);
      return seeOther(paths.secondFactor);
    case "confirm": {
      if (code.trim() === "") return refuse({ errors: { code: copy.missingCode } });
      const outcome = await secondFactor.confirm(person, code, originOf(request));
      if (outcome.ok) return issue(outcome, false);
      return outcome.error === "not-begun" ? told("enrolment-over") : refuseFor(outcome);
    }
    case "renew": {
      if (code.trim() === "") return refuse({ errors: { code: copy.missingCode } });
      const outcome = await secondFactor.renewRecoveryCodes(person, code, originOf(request));
      return outcome.ok ? issue(outcome, true) : refuseFor(outcome);
    }
    case "turn-off":
      return turnOff(request, person, { code, password: given.password ?? "" });
    default:
      return seeOther(paths.secondFactor);
  }
}

async function begin(request: Request, person: SignedIn, typedPassword: string) {
  if (typedPassword === "") return refuse({ errors: { password: password.fields["current-missing"] } });
  const outcome = await secondFactor.begin(person, typedPassword, originOf(request));
  return outcome.ok ? seeOther(paths.secondFactor) : refuseFor(outcome);
}

async function turnOff(request: Request, person: SignedIn, given: { password: string; code: string }) {
  const errors: { code?: string; password?: string } = {};
  if (given.password === "") errors.password = password.fields["current-missing"];
  if (given.code.trim() === "") errors.code = copy.missingCode;
  if (Object.keys(errors).length > 0) return refuse({ errors });
  const outcome = await secondFactor.turnOff(person, given, originOf(request));
  return outcome.ok ? told("second-factor-off") : refuseFor(outcome);
}

/** Every way it can be refused, in words at the field that is at fault. */
function refuseFor(outcome: Extract<TurningOff, { ok: false }>) {
  switch (outcome.error) {
    case "wrong-code":
      return refuse({ message: copy.wrongCode, errors: { code: copy.wrongCodeAdvice } });
    case "wrong-password":
      return refuse({ errors: { password: password.fields["current-wrong"] } });
    case "throttled": {
      const { retryAfterSeconds } = outcome;
      const answer = { message: copy.tooMany, advice: copy.tooManyAdvice(retryAfterSeconds), errors: {} };
      return refuse(answer, 429, { "Retry-After": String(retryAfterSeconds) });
    }
    case "busy":
      return refuse({ advice: password.busy, errors: {} }, 503, {
        "Retry-After": String(BUSY_RETRY_SECONDS),
      });
    case "required":
      return refuse({ advice: copy.on.required, errors: {} }, 409);
    case "not-on":
      return seeOther(paths.secondFactor);
    case "signed-out":
      return seeOther(`${paths.login}?${new URLSearchParams({ notice: "no-user" })}`);
  }
}

function issue({ recoveryCodes }: Codes, isRenewed: boolean) {
  return data<SecondFactorAnswer>({ kind: "issued", isRenewed, recoveryCodes });
}

type Refusal = Omit<Extract<SecondFactorAnswer, { kind: "refused" }>, "kind" | "message"> & {
  message?: string;
};

function refuse(refusal: Refusal, status = 422, headers: Record<string, string> = {}) {
  return data<SecondFactorAnswer>({ kind: "refused", message: copy.failed, ...refusal }, { status, headers });
}

function told(notice: NoticeCode): Response {
  return seeOther(`${paths.secondFactor}?notice=${notice}`);
}
