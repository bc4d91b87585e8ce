import { gmail, type gmail_v1 } from "googleapis/build/src/apis/gmail/index.js";
import { z } from "zod";
import { seconds } from "~/lib/durations";
import type { SetTimer } from "~/lib/set-timer";
import { within } from "~/lib/within";
import { googleProblems } from "~/services/google/google-problems";
import type { GoogleAccount } from "~/services/google/drivers/google-account.server";
import { toGoogleProblem } from "~/services/google/google-answer";
import type { Clock } from "~/services/service-deps";
import { validateEmailMessage } from "../validate-email-message";
import type { Email, Mailer, SendOutcome } from "../mailer";
import { buildMime } from "./build-mime.server";

const sent = z.object({ id: z.string().min(1) });
/** Statuses that refuse this one email: a recipient Gmail does not accept, or a message that is too large. */
const REFUSES_MAIL = new Set([400, 413]);

/** Grace period for emails in flight when the mailer is closed. */
const CLOSING_MS = seconds(1);

interface GmailMailerOptions {
  /** Closed together with the mailer. */
  readonly account: GoogleAccount;
  readonly clock: Clock;
  readonly setTimer?: SetTimer;
}

/** Sends through the Gmail API, one request per email. Gmail sets From to the account's address or an alias. */
export class GmailMailer implements Mailer {
  readonly name = "gmail";
  readonly #options: GmailMailerOptions;
  readonly #api: gmail_v1.Gmail;
  readonly #inFlight = new Set<Promise<SendOutcome>>();

  constructor(options: GmailMailerOptions) {
    this.#options = options;
    this.#api = gmail({ version: "v1", auth: options.account.client });
  }

  async send(email: Email): Promise<SendOutcome> {
    validateEmailMessage(email);
    const sending = buildMime(email).then((message) => this.#request(message));
    this.#inFlight.add(sending);
    return sending.finally(() => this.#inFlight.delete(sending));
  }

  /** Always undefined: searching by Message-ID needs the scope that reads the mailbox, which is never requested. */
  async knows(): Promise<undefined> {
    return undefined;
  }

  /**
   * Gives emails in flight a moment, then closes their connections: what has no answer by then ends as unknown, or as
   * unreachable where it was not written yet. Those that wait for a connection get a new one.
   */
  async close(): Promise<void> {
    const { account, setTimer } = this.#options;
    await within(CLOSING_MS, Promise.allSettled(this.#inFlight), setTimer);
    account.close();
  }

  async #request(message: Buffer): Promise<SendOutcome> {
    try {
      const requestBody = { raw: message.toString("base64url") };
      const { data } = await this.#api.users.messages.send({ userId: "me", requestBody });
      return { kind: "accepted", detail: `Gmail keeps it as ${sent.parse(data).id}` };
    } catch (error) {
      return this.#toOutcome(error);
    }
  }

  /**
   * Maps an API error to an outcome. A quota belongs to the account, not to the recipient, and becomes
   * `unreachable`: the email is requeued without counting an attempt, and its campaign waits (decision 35).
   */
  #toOutcome(error: unknown): SendOutcome {
    if (error instanceof z.ZodError) return { kind: "unknown", detail: googleProblems.problems.notGoogles };
    const { account, clock } = this.#options;
    const problem = toGoogleProblem(error, { credential: account.credential, use: "gmail" }, clock());
    switch (problem.kind) {
      case "deferred":
        return { kind: "unreachable", detail: problem.detail };
      case "misconfigured":
        return { kind: "unauthorized", detail: problem.detail };
      case "unknown":
        return { kind: "unknown", detail: problem.detail };
      case "answer": {
        const { status, reason, reply } = problem;
        if (/^(?:failedPrecondition|FAILED_PRECONDITION)$/.test(reason)) {
          return { kind: "unauthorized", detail: googleProblems.gmail.noMailbox(reply) };
        }
        if (REFUSES_MAIL.has(status)) return { kind: "refused", code: status, detail: reply };
        return { kind: "unauthorized", detail: googleProblems.problems.accessRefused(reply) };
      }
    }
  }
}
