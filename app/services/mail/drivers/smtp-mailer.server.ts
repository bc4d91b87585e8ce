import { seconds } from "~/lib/durations";
import { maskBeginning } from "~/lib/mask-secrets";
import { setProcessTimer, type SetTimer } from "~/lib/set-timer";
import type { Email, Mailer, SendOutcome } from "../mailer";
import { validateEmailMessage } from "../validate-email-message";
import { buildMime } from "./build-mime.server";
import { SMTP_TIMEOUTS, SmtpSession, type SmtpResult, type SmtpTimeouts } from "./smtp-session.server";
import { readSmtpUrl, type SmtpSettings } from "../smtp-settings";

export interface SmtpMailerOptions {
  /** Parsed by `readSmtpUrl`. */
  readonly url: string;
  /** Maximum number of connections, each sending one email at a time; further sends are queued. */
  readonly concurrency: number;
  /** Overrides of the timeouts the port promises; for tests. */
  readonly timeouts?: Partial<SmtpTimeouts>;
  /** For tests. */
  readonly setTimer?: SetTimer;
}

/** Emails after which a connection is replaced, so that a pool behind a balancer spreads out again. */
const EMAILS_PER_CONNECTION = 1000;
/** Shorter than the idle timeout of servers and routers, so that an idle connection is nearly always usable. */
const IDLE_MS = seconds(20);
const SWEEP_MS = seconds(5);

/**
 * Sends over SMTP and reuses connections.
 *
 * The pool is our own because nodemailer's hides what this port must report: after a 421 on a reused connection
 * it retries up to five times by itself, so that attempts are not exact (hardening R9), and then reports
 * neither the code nor the server's response.
 */
export class SmtpMailer implements Mailer {
  readonly name = "smtp";
  readonly #settings: SmtpSettings;
  readonly #timeouts: SmtpTimeouts;
  readonly #setTimer: SetTimer;
  readonly #secrets: readonly string[];
  readonly #concurrency: number;
  readonly #idle: { session: SmtpSession; since: number }[] = [];
  readonly #queue: (() => void)[] = [];
  readonly #inFlight = new Set<Promise<SendOutcome>>();
  readonly #sessionsInUse = new Set<SmtpSession>();
  readonly #sweep: NodeJS.Timeout;
  #busy = 0;
  #closed = false;

  /** Opens no connection; the first `send` does. @throws TypeError for an unusable URL. */
  constructor({ url, concurrency, timeouts, setTimer = setProcessTimer }: SmtpMailerOptions) {
    this.#settings = readSmtpUrl(url);
    this.#timeouts = { ...SMTP_TIMEOUTS, ...timeouts };
    this.#setTimer = setTimer;
    this.#secrets = listSecrets(this.#settings.auth);
    this.#concurrency = concurrency;
    this.#sweep = setInterval(() => this.#closeIdle(), SWEEP_MS).unref();
  }

  async send(email: Email): Promise<SendOutcome> {
    validateEmailMessage(email);
    const sending = this.#sendInTurn(email);
    this.#inFlight.add(sending);
    return sending.finally(() => this.#inFlight.delete(sending));
  }

  async knows(): Promise<undefined> {
    return undefined;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#sweep);
    // An email that waits for the response to its message could wait for minutes.
    const cancelTimer = this.#setTimer(this.#timeouts.closing, () =>
      this.#sessionsInUse.forEach((session) => session.abort("The mailer was closed")),
    );
    await Promise.allSettled(this.#inFlight);
    cancelTimer();
    for (const { session } of this.#idle.splice(0)) session.close();
  }

  async #sendInTurn(email: Email): Promise<SendOutcome> {
    const message = await buildMime(email);
    if (this.#busy < this.#concurrency) this.#busy += 1;
    else await new Promise<void>((resolve) => this.#queue.push(resolve));
    try {
      if (this.#closed) return { kind: "unreachable", detail: "The mailer is closed" };
      return toOutcome(await this.#sendMessage(email.from.address, email.to.address, message), this.#secrets);
    } finally {
      const next = this.#queue.shift();
      if (next) next();
      else this.#busy -= 1;
    }
  }

  async #sendMessage(from: string, to: string, message: Buffer): Promise<SmtpResult> {
    const idle = this.#takeIdle();
    if (idle) {
      const result = await this.#deliver(idle, from, to, message);
      if (!isStaleConnection(result)) return result;
    }
    return this.#deliver(new SmtpSession(this.#settings, this.#timeouts, this.#setTimer), from, to, message);
  }

  async #deliver(session: SmtpSession, from: string, to: string, message: Buffer): Promise<SmtpResult> {
    this.#sessionsInUse.add(session);
    try {
      return await session.deliver(from, to, message);
    } finally {
      this.#sessionsInUse.delete(session);
      this.#release(session);
    }
  }

  /** Takes the most recently used connection, so that surplus ones stay idle and are closed. */
  #takeIdle(): SmtpSession | undefined {
    for (;;) {
      const idle = this.#idle.pop();
      if (!idle || idle.session.isAlive) return idle?.session;
    }
  }

  #release(session: SmtpSession): void {
    if (!session.isAlive) return;
    if (this.#closed || session.sentCount >= EMAILS_PER_CONNECTION) session.close();
    else this.#idle.push({ session, since: Date.now() });
  }

  /** Closes idle connections. The list is ordered, oldest first. */
  #closeIdle(): void {
    const fresh = this.#idle.findIndex(({ since }) => Date.now() - since < IDLE_MS);
    for (const { session } of this.#idle.splice(0, fresh === -1 ? this.#idle.length : fresh)) session.close();
  }
}

/**
 * Returns whether a reused connection was closed by the server, which shows only on use. The server never responded
 * about this email, so sending it on a new connection is no second attempt.
 */
function isStaleConnection(result: SmtpResult): boolean {
  if (result.ok || result.progress !== "unanswered" || result.error.responseCode) return false;
  return result.error.code === "ECONNECTION" || result.error.code === "ESOCKET";
}

/** RFC 4954, section 6: authentication required, mechanism too weak, credentials invalid, encryption required. */
const LOGIN_CODES = new Set([530, 534, 535, 538]);
/** RFC 5321, section 3.8: the server is closing the connection, whatever the command was. */
const CLOSING = 421;
/** Commands about one email; a refusal of any other command is about the connection. */
const MAIL_COMMANDS = new Set(["MAIL FROM", "RCPT TO", "DATA"]);

const MAX_DETAIL_LENGTH = 300;

/** Maps an SMTP result to the port's outcome. @param secrets masked in the detail. */
export function toOutcome(result: SmtpResult, secrets: readonly string[]): SendOutcome {
  if (result.ok) return { kind: "accepted", detail: toDetail(result.response, secrets) };
  const { error, progress } = result;
  const { code, command = "", responseCode = 0 } = error;
  const detail = toDetail(error.response ?? error.message, secrets);
  const isTemporary = responseCode >= 400 && responseCode < 500;
  const isPermanent = responseCode >= 500 && responseCode < 600;
  if (responseCode === CLOSING) return { kind: "unreachable", detail };
  // 454 is a temporarily unavailable login server (RFC 4954): nobody has to fix anything.
  if (code === "EAUTH") return { kind: isTemporary ? "unreachable" : "unauthorized", detail };
  if (LOGIN_CODES.has(responseCode) || (isPermanent && command === "MAIL FROM")) {
    return { kind: "unauthorized", detail };
  }
  if (MAIL_COMMANDS.has(command) && (isTemporary || isPermanent)) {
    const part = command === "RCPT TO" ? "recipient" : "message";
    return { kind: isTemporary ? "deferred" : "refused", code: responseCode, detail, part };
  }
  return { kind: progress === "handed-over" ? "unknown" : "unreachable", detail };
}

/** Lists the forms of a password in SMTP: plain, and the base64 of AUTH LOGIN and AUTH PLAIN (RFC 4616). */
export function listSecrets(auth: { user: string; pass: string } | undefined): string[] {
  if (!auth?.pass) return [];
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  return [base64(`\0${auth.user}\0${auth.pass}`), base64(auth.pass), auth.pass];
}

/** Returns a reply on one line. Unlike app/lib/one-line.ts it also removes control characters, and keeps more. */
function toDetail(text: string, secrets: readonly string[]): string {
  const plain = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  return maskBeginning(plain, MAX_DETAIL_LENGTH, secrets);
}
