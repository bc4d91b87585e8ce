import { GATEWAY_STATUSES, UpstreamError } from "~/lib/upstream-error";
import type { PlatformClient } from "~/services/platform/platform-client.server";
import { validateEmailMessage } from "../validate-email-message";
import type { Email, Mailer, SendOutcome } from "../mailer";

/** Temporary refusals that are not about this email (RFC 9110, 15.5.9; RFC 8470; RFC 6585). */
const TEMPORARY_STATUSES = new Set([408, 425, 429]);

/**
 * Sends through the application's own backend (docs/platform.md), which accepts an address, a subject and HTML only:
 * the text part, sender, Message-ID and List-Unsubscribe headers are not sent.
 */
export class PlatformMailer implements Mailer {
  readonly name = "platform";
  readonly #client: PlatformClient;

  constructor(client: PlatformClient) {
    this.#client = client;
  }

  async send(email: Email): Promise<SendOutcome> {
    validateEmailMessage(email);
    try {
      const detail = await this.#client.send({
        operation: "send an email",
        method: "POST",
        path: "/api/Email/send-email",
        body: { ToEmail: email.to.address, Subject: email.subject, Content: email.html },
      });
      return { kind: "accepted", detail };
    } catch (error) {
      if (error instanceof UpstreamError) return toOutcome(error);
      throw error;
    }
  }

  /** The platform cannot tell whether it has an email. */
  async knows(): Promise<undefined> {
    return undefined;
  }

  /** Leaves the client open: it is shared. */
  async close(): Promise<void> {}
}

function toOutcome({ status, handedOver, detail, retryAfterMs }: UpstreamError): SendOutcome {
  if (status === undefined) return { kind: handedOver ? "unknown" : "unreachable", detail };
  const message = `${status} ${detail}`.trim();
  if (status === 401 || status === 403) return { kind: "unauthorized", detail: message };
  // The backend behind the gateway may have sent it.
  if (GATEWAY_STATUSES.has(status)) return { kind: "unknown", detail: message };
  const isForNow = status >= 500 || TEMPORARY_STATUSES.has(status);
  if (isForNow) return { kind: "deferred", code: status, detail: message, retryAfterMs };
  return { kind: "refused", code: status, detail: message };
}
