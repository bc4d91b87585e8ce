import { minutes, seconds } from "~/lib/durations";
import { maskSecrets } from "~/lib/mask-secrets";
import { setProcessTimer } from "~/services/clock";
import type { SetTimer } from "~/services/clock";
import { checkMail } from "~/services/mail/check-mail";
import type { Mail, Mailer, MailOutcome } from "~/services/mail/mailer";
import { buildMime } from "./build-mime.server";
import { SmtpSession } from "./smtp-session.server";
import type { SmtpAnswer, SmtpError, SmtpProgress, SmtpTimeouts } from "./smtp-session.server";
import { readSmtpUrl } from "./smtp-settings";
import type { SmtpSettings } from "./smtp-settings";

export interface SmtpMailerOptions {
  /** See readSmtpUrl. */
  readonly url: string;
  /** Most connections at once, each with one mail at a time; further sends wait for their turn. */
  readonly concurrency: number;
  /** Other patience than the port promises; for tests. */
  readonly timeouts?: Partial<SmtpTimeouts>;
  /** For tests. */
  readonly setTimer?: SetTimer;
}

/**
 * Hardening R8; nodemailer's own are 2 minutes to connect and 10 minutes of silence. A server that was given a whole message
 * gets the 10 minutes of RFC 5321, 4.5.3.2.6: who gives up earlier does not know whether it arrived (hardening R32).
 */
const TIMEOUTS: SmtpTimeouts = {
  connect: seconds(10),
  greeting: seconds(10),
  answer: seconds(30),
  whole: minutes(2),
  completion: minutes(10),
  closing: seconds(1),
};
/** Then the connection is replaced, so that a pool behind a balancer spreads out again. */
const MAILS_PER_CONNECTION = 1000;
/** Shorter than servers and routers drop a silent connection, so that a kept one is nearly always good. */
const IDLE_MS = seconds(20);
const SWEEP_MS = seconds(5);

/**
 * Sends over SMTP, keeping connections for the next mail.
 *
 * The pool is ours because nodemailer's hides what this port must tell: after a 421 on a kept connection it tries again
 * up to five times by itself, so that attempts are not exact (hardening R9), and then reports neither the code nor the
 * server's words.
 */
export class SmtpMailer implements Mailer {
  readonly name = "smtp";
  readonly #settings: SmtpSettings;
  readonly #timeouts: SmtpTimeouts;
  readonly #setTimer: SetTimer;
  readonly #secrets: readonly string[];
  readonly #concurrency: number;
  readonly #kept: { session: SmtpSession; since: number }[] = [];
  readonly #waiting: (() => void)[] = [];
  readonly #underWay = new Set<Promise<MailOutcome>>();
  readonly #sessionsInUse = new Set<SmtpSession>();
  readonly #sweep: NodeJS.Timeout;
  #busy = 0;
  #closed = false;

  /** Connects to nobody yet. @throws TypeError for an unusable URL. */
  constructor({ url, concurrency, timeouts, setTimer = setProcessTimer }: SmtpMailerOptions) {
    this.#settings = readSmtpUrl(url);
    this.#timeouts = { ...TIMEOUTS, ...timeouts };
    this.#setTimer = setTimer;
    this.#secrets = secretsOf(this.#settings.auth);
    this.#concurrency = concurrency;
    this.#sweep = setInterval(() => this.#closeIdle(), SWEEP_MS).unref();
  }

  async send(mail: Mail): Promise<MailOutcome> {
    checkMail(mail);
    const sending = this.#sendInTurn(mail);
    this.#underWay.add(sending);
    return sending.finally(() => this.#underWay.delete(sending));
  }

  async knows(): Promise<undefined> {
    return undefined;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#sweep);
    // A mail that waits for the answer to its message would wait for minutes.
    const endPatience = this.#setTimer(this.#timeouts.closing, () =>
      this.#sessionsInUse.forEach((session) => session.abort("The mailer was closed")),
    );
    await Promise.allSettled(this.#underWay);
    endPatience();
    for (const { session } of this.#kept.splice(0)) session.close();
  }

  async #sendInTurn(mail: Mail): Promise<MailOutcome> {
    const message = buildMime(mail);
    await this.#turn();
    try {
      if (this.#closed) return { kind: "unreachable", detail: "The mailer is closed" };
      return outcomeOf(await this.#hand(mail.from.address, mail.to.address, message), this.#secrets);
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#busy -= 1;
    }
  }

  /** Resolves when one of the connections is ours to use; the turn is passed on when the mail has ended. */
  async #turn(): Promise<void> {
    if (this.#busy < this.#concurrency) this.#busy += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  async #hand(from: string, to: string, message: Buffer): Promise<SmtpAnswer> {
    const kept = this.#takeKept();
    if (kept) {
      const answer = await this.#deliver(kept, from, to, message);
      if (!hadGoneStale(answer)) return answer;
    }
    return this.#deliver(new SmtpSession(this.#settings, this.#timeouts, this.#setTimer), from, to, message);
  }

  async #deliver(session: SmtpSession, from: string, to: string, message: Buffer): Promise<SmtpAnswer> {
    this.#sessionsInUse.add(session);
    try {
      return await session.deliver(from, to, message);
    } finally {
      this.#sessionsInUse.delete(session);
      this.#keep(session);
    }
  }

  /** The one used last, so that the others grow old and are closed when there is little to send. */
  #takeKept(): SmtpSession | undefined {
    for (;;) {
      const kept = this.#kept.pop();
      if (!kept || kept.session.alive) return kept?.session;
    }
  }

  #keep(session: SmtpSession): void {
    if (!session.alive) return;
    if (this.#closed || session.mails >= MAILS_PER_CONNECTION) session.close();
    else this.#kept.push({ session, since: Date.now() });
  }

  /** The list is ordered: the oldest stands first. */
  #closeIdle(): void {
    const fresh = this.#kept.findIndex(({ since }) => Date.now() - since < IDLE_MS);
    for (const { session } of this.#kept.splice(0, fresh === -1 ? this.#kept.length : fresh)) session.close();
  }
}

/**
 * A kept connection may have been dropped by the server in the meantime, which shows only when it is used. The server
 * never spoke of this mail, so a fresh connection is no second attempt.
 */
function hadGoneStale(answer: SmtpAnswer): boolean {
  if (answer.ok || answer.progress !== "unanswered" || answer.error.responseCode) return false;
  return answer.error.code === "ECONNECTION" || answer.error.code === "ESOCKET";
}

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
