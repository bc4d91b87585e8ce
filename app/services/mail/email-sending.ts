import type { DailyAllowance } from "~/services/outreach/daily-allowance.server";
import type { ServiceDeps } from "~/services/service-deps";
import type { Mailer } from "./mailer";

/** Dependencies of every service that sends emails. */
export interface EmailSending extends ServiceDeps {
  readonly mailer: Mailer;
  readonly sender: { readonly name: string; readonly address: string };
  /** Right half of each Message-ID. */
  readonly mailDomain: string;
  /** All emails count towards it; only campaigns wait when it is used up. */
  readonly allowance: DailyAllowance;
}
