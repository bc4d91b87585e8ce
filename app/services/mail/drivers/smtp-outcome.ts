import { maskSecrets } from "~/lib/mask-secrets";
import type { MailOutcome } from "../mailer";
import type { SmtpProgress, SmtpAnswer, SmtpError } from "./smtp-session.server";

/** RFC 4954, section 6: authentication required, mechanism too weak, credentials invalid, encryption required. */
const LOGIN_CODES = new Set([530, 534, 535, 538]);
/** RFC 5321, section 3.8: the server is closing, whatever it was asked. */
const CLOSING = 421;
/** The commands that concern one mail; a refusal of any other is about the connection. */
const MAIL_COMMANDS = new Set(["MAIL FROM", "RCPT TO", "DATA"]);

const LONGEST_DETAIL = 300;

/**
 * Sorts how a sending ended, by the port's list.
 * @param secrets never to be found in the detail.
 */
export function outcomeOf(answer: SmtpAnswer, secrets: readonly string[]): MailOutcome {
  if (answer.ok) return { kind: "accepted", detail: oneLine(answer.response, secrets) };
  const { error, progress } = answer;
  const detail = oneLine(error.response ?? error.message, secrets);
  const verdict = verdictOn(error, progress);
  return typeof verdict === "string" ? { kind: verdict, detail } : { ...verdict, detail };
}

type Verdict = "unauthorized" | "unreachable" | "unknown" | { kind: "deferred" | "refused"; code: number };

function verdictOn(error: SmtpError, progress: SmtpProgress): Verdict {
  const { code, command = "", responseCode = 0 } = error;
  const temporary = responseCode >= 400 && responseCode < 500;
  const permanent = responseCode >= 500 && responseCode < 600;
  if (responseCode === CLOSING) return "unreachable";
  // 454 is a login server that is away for a while (RFC 4954): nobody has to mend anything here.
  if (code === "EAUTH") return temporary ? "unreachable" : "unauthorized";
  if (LOGIN_CODES.has(responseCode) || (permanent && command === "MAIL FROM")) return "unauthorized";
  if (MAIL_COMMANDS.has(command)) {
    if (temporary) return { kind: "deferred", code: responseCode };
    if (permanent) return { kind: "refused", code: responseCode };
  }
  return progress === "handed-over" ? "unknown" : "unreachable";
}

/** The ways a password stands in an SMTP dialogue: as it is, and in the base64 of AUTH LOGIN and AUTH PLAIN (RFC 4616). */
export function secretsOf(auth: { user: string; pass: string } | undefined): string[] {
  if (!auth?.pass) return [];
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  return [base64(`\0${auth.user}\0${auth.pass}`), base64(auth.pass), auth.pass];
}

function oneLine(text: string, secrets: readonly string[]): string {
  const plain = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  return maskSecrets(plain, secrets).slice(0, LONGEST_DETAIL);
}
