import { Readable } from "node:stream";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import { minutes } from "~/lib/durations";
import type { SetTimer } from "~/services/clock";
import type { SmtpSettings } from "./smtp-settings";

/** All in milliseconds. */
export interface SmtpTimeouts {
  /** DNS, TCP and TLS together. */
  readonly connect: number;
  /** From connected to the greeting. */
  readonly greeting: number;
  /** Without a byte from the server. */
  readonly answer: number;
  /** One mail from its turn to the end of its message, for a server that drips single bytes. */
  readonly whole: number;
  /** From the end of a message to the answer to it. */
  readonly completion: number;
  /** For mails under way when the mailer is closed. */
  readonly closing: number;
}

/**
 * How far a mail had come when its sending ended.
 * - unanswered: the server had not said a word about it.
 * - under-way: the end of the message had certainly not left.
 * - handed-over: the end may have left.
 */
export type SmtpProgress = "unanswered" | "under-way" | "handed-over";

export type SmtpAnswer =
  | { readonly ok: true; readonly response: string }
  | { readonly ok: false; readonly error: SmtpError; readonly progress: SmtpProgress };

/** What nodemailer tells of a failure. `command` is the one the server was answering, or CONN. */
export interface SmtpError extends Error {
  code?: string | undefined;
  command?: string | undefined;
  response?: string | undefined;
  responseCode?: number | undefined;
}

type Step<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: SmtpError };

const SLICE_BYTES = 64 * 1024;

/** One connection to the mail server, one mail at a time. */
export class SmtpSession {
  readonly #connection: SMTPConnection;
  readonly #auth: SmtpSettings["auth"];
  readonly #timeouts: SmtpTimeouts;
  readonly #setTimer: SetTimer;
  /** Ends the step under way; harmless when there is none. */
  #interrupt: (error: SmtpError) => void = () => undefined;
  /** Ends the time limit in force; harmless when there is none. */
  #endLimit: () => void = () => undefined;
  #isOpen = false;
  #needsReset = false;
  #alive = true;
  #mails = 0;

  /** Connects to nobody yet. */
  constructor(settings: SmtpSettings, timeouts: SmtpTimeouts, setTimer: SetTimer) {
    this.#auth = settings.auth;
    this.#timeouts = timeouts;
    this.#setTimer = setTimer;
    this.#connection = new SMTPConnection({
      host: settings.host,
      port: settings.port,
      secure: settings.secure,
      requireTLS: settings.requireTLS,
      ignoreTLS: settings.ignoreTLS,
      connectionTimeout: timeouts.connect,
      greetingTimeout: timeouts.greeting,
      socketTimeout: timeouts.answer,
    });
    this.#connection.on("error", (error: SmtpError) => this.#interrupt(error));
    this.#connection.on("end", () => {
      this.#alive = false;
      // A step's own callback, which knows the server's words, may come later in this same turn.
      queueMicrotask(() => this.#interrupt(new Error("The mail server closed the connection")));
    });
  }

  /** Whether another mail can be tried on it. */
  get alive(): boolean {
    return this.#alive;
  }

  /** Mails given to it so far. */
  get mails(): number {
    return this.#mails;
  }

  /** Hands one message over, to one recipient, and waits for the answer; connects first when that was not done yet. */
  async deliver(from: string, to: string, message: Buffer): Promise<SmtpAnswer> {
    this.#limit(this.#timeouts.whole, "The mail server took too long");
    try {
      const error = this.#isOpen ? undefined : await this.#open();
      if (error) {
        this.close();
        return { ok: false, error, progress: "unanswered" };
      }
      return await this.#hand(from, to, message);
    } finally {
      this.#endLimit();
    }
  }

  /** Connects, greets and logs in; `undefined` when all went well. */
  async #open(): Promise<SmtpError | undefined> {
    const connected = await this.#step<undefined>((done) =>
      this.#connection.connect((error) => done(error, undefined)),
    );
    if (!connected.ok) return connected.error;
    this.#isOpen = true;
    const auth = this.#auth;
    if (!auth || !this.#connection.allowsAuth) return undefined;
    const login = await this.#step<undefined>((done) =>
      this.#connection.login({ user: auth.user, credentials: { ...auth } }, (error) =>
        done(error, undefined),
      ),
    );
    return login.ok ? undefined : login.error;
  }

  /**
   * nodemailer does not say whether the end of DATA had left, but it reads the message as a stream and writes the final
   * dot only after that stream's end. So a stream that has not ended proves that the server never had a whole message.
   * One that has ended proves nothing: the dot may still have been in a buffer of this machine.
   */
  async #hand(from: string, to: string, message: Buffer): Promise<SmtpAnswer> {
    this.#mails += 1;
    this.#connection.lastServerResponse = false;
    if (this.#needsReset) {
      const reset = await this.#step<undefined>((done) =>
        this.#connection.reset((error) => done(error, undefined)),
      );
      if (!reset.ok) return { ok: false, error: reset.error, progress: this.#progress() };
    }
    const body = sliced(message);
    body.once("end", () => this.#awaitCompletion());
    const sent = await this.#step<string>((done) =>
      this.#connection.send({ from, to: [to] }, body, (error, info) => done(error, info?.response ?? "")),
    );
    this.#limitSilence(this.#timeouts.answer);
    // After a refusal the server still holds the sender; it would refuse the next MAIL FROM without a RSET.
    this.#needsReset = !sent.ok;
    if (sent.ok) return { ok: true, response: sent.value };
    const progress = this.#progress(body);
    // A large message refused early may still be queued behind; the RSET would stand in its middle.
    if (body.readableDidRead && message.length > SLICE_BYTES) this.#connection.close();
    return { ok: false, error: sent.error, progress };
  }

  /** From here on giving up leaves open whether the mail arrived, so that one long limit takes the place of the others. */
  #awaitCompletion(): void {
    const { completion } = this.#timeouts;
    this.#limitSilence(0);
    const within = `${completion / minutes(1)} minutes`;
    this.#limit(completion, `The mail server took the message and did not answer within ${within}`);
  }

  /** As nodemailer does by its own setting, which is one for all phases. @param ms 0: no limit. */
  #limitSilence(ms: number): void {
    const socket = this.#connection._socket;
    if (socket && this.#alive) socket.setTimeout(ms);
  }

  /** Breaks off what is under way after so long, and at the limit before no more. */
  #limit(ms: number, reason: string): void {
    this.#endLimit();
    this.#endLimit = this.#setTimer(ms, () => this.abort(reason));
  }

  /** Breaks off whatever is under way. */
  abort(reason: string): void {
    this.#interrupt(Object.assign(new Error(reason), { code: "ETIMEDOUT" }));
    this.#connection.close();
  }

  /** Says goodbye without waiting for the answer. */
  close(): void {
    if (this.#alive) this.#connection.quit();
    this.#connection.close();
  }

  #progress(body?: Readable): SmtpProgress {
    if (body?.readableEnded) return "handed-over";
    return this.#connection.lastServerResponse === false ? "unanswered" : "under-way";
  }

  /** Turns a callback, or the connection's end in its place, into one answer. */
  #step<T>(begin: (done: (error: SmtpError | null | undefined, value: T) => void) => void): Promise<Step<T>> {
    return new Promise((resolve) => {
      this.#interrupt = (error) => resolve({ ok: false, error });
      begin((error, value) => resolve(error ? { ok: false, error } : { ok: true, value }));
    });
  }
}

/** In slices, so that the end of a large message is reached only when the network has taken what precedes it. */
function sliced(message: Buffer): Readable {
  const stream = new Readable({ read: () => undefined });
  for (let at = 0; at < message.length; at += SLICE_BYTES) {
    stream.push(message.subarray(at, at + SLICE_BYTES));
  }
  stream.push(null);
  return stream;
}
