import type { Database } from "~/db/database.server";
import type { Provenance } from "~/services/audit/audit.server";
import { recordAudit } from "~/services/audit/audit.server";
import type { Clock } from "~/services/clock";
import type { NewId } from "~/services/ids.server";
import { unsubscribe } from "./suppressions.server";
import type { Unsubscription } from "./suppressions.server";
import type { UnsubscribeTokens } from "./unsubscribe-tokens.server";

/** The unsubscribe link, from the token in its URL. */
export function createUnsubscribing(has: {
  database: Database;
  tokens: UnsubscribeTokens;
  clock: Clock;
  newId: NewId;
}) {
  const { tokens, clock, newId } = has;
  return {
    /** Whether this is a link of ours; changes nothing. */
    recognize: (token: string): boolean => tokens.deliveryIdFrom(token) !== undefined,

    /** See `unsubscribe`; written to the audit the first time. */
    async unsubscribe(token: string, { network, requestId }: Provenance): Promise<Unsubscription> {
      const deliveryId = tokens.deliveryIdFrom(token);
      if (deliveryId === undefined) return { ok: false, error: "unknown-link" };
      return unsubscribe(has, deliveryId, (trx, address) =>
        recordAudit(trx, {
          ...{ id: newId(), at: clock(), actor: "visitor", action: "unsubscribe", subject: address },
          ...{ outcome: "ok", network, requestId },
        }),
      );
    },
  };
}
