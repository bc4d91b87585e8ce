import { UpstreamError } from "~/lib/upstream-error";
import type { PlatformClient } from "~/services/platform/platform-client.server";
import { checkMail } from "../check-mail";
import type { Mail, Mailer, MailOutcome } from "../mailer";

/** Refusals of this moment, not of this mail (RFC 9110, 15.5.9; RFC 8470; RFC 6585). */
const FOR_NOW = new Set([408, 425, 429]);
/** A gateway's word that it passed the mail on and got no proper answer (RFC 9110, 15.6.3 and 15.6.5): it may have gone. */
const NO_ANSWER = new Set([502, 504]);

/**
 * The application's own backend sends the mail (specification, section 7). It takes an address, a subject and HTML, and no
 * more: our text part, sender, Message-ID and List-Unsubscribe headers do not go with it (docs/platform.md).
 */
export class PlatformMailer implements Mailer {
  readonly name = "platform";
  readonly #client: PlatformClient;

  constructor(client: PlatformClient) {
    this.#client = client;
  }

  async send(mail: Mail): Promise<MailOutcome> {
    checkMail(mail);
    try {
      const detail = await this.#client.tell({
        operation: "send a mail",
        method: "POST",
        path: "/api/Email/send-email",
        body: { ToEmail: mail.to.address, Subject: mail.subject, Content: mail.html },
      });
      return { kind: "accepted", detail };
    } catch (error) {
      if (error instanceof UpstreamError) return outcomeOf(error);
      throw error;
    }
  }

  async knows(): Promise<undefined> {
    return undefined;
  }

  /** The client is not ours alone. */
  async close(): Promise<void> {}
}

function outcomeOf({ status, handedOver, detail, retryAfterMs }: UpstreamError): MailOutcome {
  if (status === undefined) return { kind: handedOver ? "unknown" : "unreachable", detail };
  const said = `${status} ${detail}`.trim();
  if (status === 401 || status === 403) return { kind: "unauthorized", detail: said };
  if (NO_ANSWER.has(status)) return { kind: "unknown", detail: said };
  const isForNow = status >= 500 || FOR_NOW.has(status);
  if (isForNow) return { kind: "deferred", code: status, detail: said, retryAfterMs };
  return { kind: "refused", code: status, detail: said };
}
