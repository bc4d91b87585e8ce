import { data } from "@remix-run/node";
import { secondFactorMessages as copy } from "~/content/second-factor";
import { passwordMessages } from "~/content/users";
import { refuse, report } from "~/http/action-result.server";
import { readForm } from "~/http/form-data.server";
import { seeOther } from "~/http/redirects.server";
import { getRequestOrigin } from "~/http/request-context.server";
import { firstValues, type FieldErrors } from "~/lib/parse-form";
import { paths } from "~/paths";
import { BUSY_RETRY_SECONDS } from "~/services/accounts/password-hasher";
import { secondFactor } from "~/services/container.server";
import { normalizeCode } from "~/services/second-factor/codes.server";
import type { Codes, TurningOff } from "~/services/second-factor/second-factor.server";
import { isTotpCode } from "~/services/second-factor/totp.server";
import type { SignedIn } from "~/services/sessions/sessions.server";

const { busy, fields } = passwordMessages;

type StepErrors = FieldErrors<"code" | "password">;
export type RefusedStep = ReturnType<typeof refuseStep>["data"];

/** Handles the page's buttons, by intent. */
export async function actOnSecondFactor(request: Request, operator: SignedIn) {
  const { intent = "", code = "", password = "" } = firstValues(await readForm(request));
  const origin = getRequestOrigin(request);
  const errors: StepErrors = {};
  if (password === "" && (intent === "begin" || intent === "turn-off"))
    errors.password = fields["current-missing"];
  if (code.trim() === "" && (intent === "confirm" || intent === "renew" || intent === "turn-off"))
    errors.code = intent === "confirm" ? copy.missingCode : copy.missingAnyCode;
  if (Object.keys(errors).length > 0) return refuseStep({ errors });

  switch (intent) {
    case "begin": {
      const outcome = await secondFactor.begin(operator, password, origin);
      return outcome.ok ? seeOther(paths.secondFactor) : toRefusal(outcome);
    }
    case "abandon":
      await secondFactor.abandon(operator);
      return seeOther(paths.secondFactor);
    case "confirm": {
      const outcome = await secondFactor.confirm(operator, code, origin);
      if (outcome.ok) return issue(outcome, false);
      if (outcome.error === "already-on") return report("second-factor-on-already", paths.secondFactor);
      return outcome.error === "not-begun"
        ? report("enrolment-over", paths.secondFactor)
        : toRefusal(outcome);
    }
    case "renew": {
      const outcome = await secondFactor.renewRecoveryCodes(operator, code, origin);
      return outcome.ok ? issue(outcome, true) : toRefusal(outcome, code);
    }
    case "turn-off": {
      const outcome = await secondFactor.turnOff(operator, { password, code }, origin);
      return outcome.ok ? report("second-factor-off", paths.secondFactor) : toRefusal(outcome, code);
    }
    default:
      return seeOther(paths.secondFactor);
  }
}

/**
 * Turns a refusal into a response: the form with the message at the field that is at fault, or a redirect.
 * @param code as typed, where it may be a recovery code too.
 */
function toRefusal(outcome: Extract<TurningOff, { ok: false }>, code?: string) {
  switch (outcome.error) {
    case "wrong-code": {
      const isForRecovery = code !== undefined && !isTotpCode(normalizeCode(code));
      const advice = isForRecovery ? copy.wrongRecoveryCodeAdvice : copy.wrongCodeAdvice;
      return refuseStep({ message: copy.wrongCode, errors: { code: advice } });
    }
    case "wrong-password":
      return refuseStep({ errors: { password: fields["current-wrong"] } });
    case "throttled": {
      const { retryAfterSeconds } = outcome;
      const refusal = { message: copy.tooMany, advice: copy.tooManyAdvice(retryAfterSeconds) };
      return refuseStep(refusal, 429, retryAfterSeconds);
    }
    case "busy":
      return refuseStep({ advice: busy }, 503, BUSY_RETRY_SECONDS);
    case "required":
      return refuseStep({ advice: copy.on.required }, 409);
    case "not-on":
      return seeOther(paths.secondFactor);
    case "signed-out":
      return report("no-user", paths.login, { redirectTo: paths.secondFactor });
  }
}

/** The one response that holds recovery codes. It answers a POST, so nothing stores it. */
function issue({ recoveryCodes }: Codes, isRenewed: boolean) {
  return data({ kind: "issued" as const, isRenewed, recoveryCodes });
}

function refuseStep(
  { message = copy.failed, advice, errors = {} }: { message?: string; advice?: string; errors?: StepErrors },
  status = 422,
  retryAfterSeconds?: number,
) {
  return refuse("step", { message, advice, errors }, { status, retryAfterSeconds });
}
