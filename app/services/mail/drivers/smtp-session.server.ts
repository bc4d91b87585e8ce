import { Socket } from "node:net";
import { Readable } from "node:stream";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import { minutes, seconds } from "~/lib/durations";
import type { SetTimer } from "~/lib/set-timer";
import type { SmtpSettings } from "../smtp-settings";

/** Timeouts (hardening R8); nodemailer's own are 2 minutes to connect and 10 minutes of silence. */
export const SMTP_TIMEOUTS = {
  /** DNS, TCP and TLS together. */
  connect: seconds(10),
  /** From the connection to the greeting. */
  greeting: seconds(10),
  /** Silence of the server. */
  answer: seconds(30),
  /** One email from its start to the end of its message; limits a server that drips single bytes. */
  whole: minutes(2),
  /**
   * From the end of a message to the server's response: the 10 minutes of RFC 5321, 4.5.3.2.6, because a client that
   * gives up earlier does not know whether the message arrived (hardening R32).
   */
  completion: minutes(10),
  /** Grace period for emails in flight when the mailer is closed. */
  closing: seconds(1),
};
export type SmtpTimeouts = Readonly<typeof SMTP_TIMEOUTS>;

/**
 * Progress of an email when sending it ended.
 * - unanswered: the server had not responded to any command about it.
 * - under-way: the end of the message had certainly not been sent.
 * - handed-over: the end of the message may have been sent.
 */
export type SmtpProgress = "unanswered" | "under-way" | "handed-over";

export type SmtpResult =
  | { readonly ok: true; readonly response: string }
  | { readonly ok: false; readonly error: SmtpError; readonly progress: SmtpProgress };

/** Error of nodemailer. `command` is the SMTP command the server responded to, or CONN. */
export interface SmtpError extends Error {
  code?: string | undefined;
  command?: string | undefined;
  response?: string | undefined;
  responseCode?: number | undefined;
}

const SLICE_BYTES = 64 * 1024;

/** One connection to the mail server; it sends one email at a time. */
export class SmtpSession {
  readonly #connection: SMTPConnection;
  /** Under the connection's TLS where there is any: its timeout and counter include what passes through that. */
  readonly #socket = new Socket();
  readonly #auth: SmtpSettings["auth"];
  readonly #timeouts: SmtpTimeouts;
  readonly #setTimer: SetTimer;
  /** Rejects the current step; does nothing when there is none. */
  #interrupt: (error: SmtpError) => void = () => undefined;
  /** Clears the current time limit; does nothing when there is none. */
  #endLimit: () => void = () => undefined;
  #isOpen = false;
  #needsReset = false;
  #isAlive = true;
  #sentCount = 0;
  /** Bytes the server had sent when the current email began. */
  #readBefore = 0;

  /** Opens no connection; the first `deliver` does. */
  constructor({ auth, ...server }: SmtpSettings, timeouts: SmtpTimeouts, setTimer: SetTimer) {
    this.#auth = auth;
    this.#timeouts = timeouts;
    this.#setTimer = setTimer;
    this.#connection = new SMTPConnection({
      ...server,
      socket: this.#socket,
      connectionTimeout: timeouts.connect,
      greetingTimeout: timeouts.greeting,
      // One value for all phases, so it is the longest; `#limitSilence` sets the shorter ones.
      socketTimeout: timeouts.completion + timeouts.answer,
    });
    this.#socket.on("ready", () => this.#limitSilence(timeouts.answer));
    this.#socket.on("timeout", () => this.abort("Timeout"));
    this.#connection.on("error", (error: SmtpError) => this.#interrupt(error));
    this.#connection.on("end", () => {
      this.#isAlive = false;
      // A step's own callback, which has the server's response, may run later in this event loop turn.
      queueMicrotask(() => this.#interrupt(new Error("The mail server closed the connection")));
    });
  }

  /** True while the connection can send another email. */
  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Number of emails sent on this connection so far. */
  get sentCount(): number {
    return this.#sentCount;
  }

  /** Sends one message to one recipient and waits for the response. Connects first when the session is not open. */
  async deliver(from: string, to: string, message: Buffer): Promise<SmtpResult> {
    this.#limit(this.#timeouts.whole, "The mail server took too long");
    try {
      const error = this.#isOpen ? undefined : await this.#open();
      if (error) {
        this.close();
        return { ok: false, error, progress: "unanswered" };
      }
      return await this.#sendMessage(from, to, message);
    } finally {
      this.#endLimit();
    }
  }

  /** Connects, greets and logs in. Returns `undefined` on success. */
  async #open(): Promise<SmtpError | undefined> {
    const error = await this.#step((done) => this.#connection.connect(done));
    if (error) return error;
    this.#isOpen = true;
    // STARTTLS has taken the limit off.
    this.#limitSilence(this.#timeouts.answer);
    const auth = this.#auth;
    if (!auth || !this.#connection.allowsAuth) return undefined;
    return this.#step((done) => this.#connection.login({ user: auth.user, credentials: { ...auth } }, done));
  }

  /**
   * Sends one message on the open connection.
   *
   * nodemailer does not report whether the end of DATA was sent, but it reads the message as a stream and
   * writes the final dot only after that stream ends. A stream that has not ended proves that the server never
   * had the whole message. One that has ended proves nothing: the dot may still be in a buffer of this machine.
   */
  async #sendMessage(from: string, to: string, message: Buffer): Promise<SmtpResult> {
    this.#sentCount += 1;
    this.#readBefore = this.#socket.bytesRead;
    if (this.#needsReset) {
      const error = await this.#step((done) => this.#connection.reset(done));
      if (error) return { ok: false, error, progress: this.#getProgress() };
    }
    const body = toSlicedStream(message);
    body.once("end", () => this.#awaitCompletion());
    let response = "";
    const error = await this.#step((done) =>
      this.#connection.send({ from, to: [to] }, body, (failure, info) => {
        response = info?.response ?? "";
        done(failure);
      }),
    );
    this.#limitSilence(this.#timeouts.answer);
    // After a refusal the server still holds the sender and would refuse the next MAIL FROM without a RSET.
    this.#needsReset = error !== undefined;
    if (!error) return { ok: true, response };
    const progress = this.#getProgress(body);
    // Part of a large message refused early may still be queued; a RSET would land in the middle of it.
    if (body.readableDidRead && message.length > SLICE_BYTES) this.#connection.close();
    return { ok: false, error, progress };
  }

  /** Replaces the other limits by a long one: a timeout from here on leaves open whether the email arrived. */
  #awaitCompletion(): void {
    const { completion } = this.#timeouts;
    this.#limitSilence(0);
    const within = `${completion / minutes(1)} minutes`;
    this.#limit(completion, `The mail server took the message and did not answer within ${within}`);
  }

  /** Aborts the current step when the connection is silent for `ms`; 0 is no limit. */
  #limitSilence(ms: number): void {
    if (this.#isAlive) this.#socket.setTimeout(ms);
  }

  /** Aborts the current step after `ms`. Replaces the previous limit. */
  #limit(ms: number, reason: string): void {
    this.#endLimit();
    this.#endLimit = this.#setTimer(ms, () => this.abort(reason));
  }

  /** Aborts the current step and closes the connection. */
  abort(reason: string): void {
    this.#interrupt(Object.assign(new Error(reason), { code: "ETIMEDOUT" }));
    this.#connection.close();
  }

  /** Sends QUIT and closes without waiting for the response. */
  close(): void {
    if (this.#isAlive) this.#connection.quit();
    this.#connection.close();
  }

  #getProgress(body?: Readable): SmtpProgress {
    if (body?.readableEnded) return "handed-over";
    return this.#socket.bytesRead === this.#readBefore ? "unanswered" : "under-way";
  }

  /** Runs a callback-style step as a promise of its error; the end of the connection settles it too. */
  #step(begin: (done: (error?: SmtpError | null) => void) => void): Promise<SmtpError | undefined> {
    return new Promise((resolve) => {
      this.#interrupt = resolve;
      begin((error) => resolve(error ?? undefined));
    });
  }
}

/** Streams the message in slices: the stream ends only after the network has accepted what precedes the last one. */
function toSlicedStream(message: Buffer): Readable {
  const stream = new Readable({ read: () => undefined });
  for (let at = 0; at < message.length; at += SLICE_BYTES) {
    stream.push(message.subarray(at, at + SLICE_BYTES));
  }
  stream.push(null);
  return stream;
}
