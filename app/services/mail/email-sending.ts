import { seconds } from "~/lib/durations";
import type { DailyAllowance } from "./delivery/daily-allowance.server";
import type { ServiceDeps } from "~/services/service-deps";
import type { Mailer } from "./mailer";

/**
 * How long a request waits for its email: a mail server may take ten minutes to respond (hardening R32). Sending
 * then continues in the background, and the response says that the email may arrive.
 */
export const SEND_TIMEOUT_MS = seconds(30);

/** Dependencies of both queues of emails. */
export interface EmailSending extends ServiceDeps {
  readonly mailer: Mailer;
  /** Right half of each Message-ID. */
  readonly mailDomain: string;
  /** All emails count towards it; DailyAllowance says which of them wait for the next day. */
  readonly allowance: DailyAllowance;
  /** Whether a queued email that may have been sent before a crash is sent again; otherwise it stays uncertain. */
  readonly resendAfterCrash: boolean;
}
