import { sql } from "kysely";
import type { ServiceDeps } from "~/services/service-deps";
import { LINK_LIFETIME_MS, type ConfirmationRequest } from "./confirmation-request.server";

/**
 * Returns the request of a link with which an address confirms itself, for another email that goes there now. An open
 * request of the address is shared: using one uses up both. The request of an address that signs up again after
 * unsubscribing gets a new id.
 * @returns undefined when the address is confirmed.
 */
export async function requestAddressLink(
  { database, clock, newId }: ServiceDeps,
  { address, email_key }: { readonly address: string; readonly email_key: string },
): Promise<ConfirmationRequest | undefined> {
  return database.write(async (trx) => {
    const now = clock();
    await trx
      .insertInto("confirmations")
      .values({ id: newId(), address, email_key, requested_at: now })
      .onConflict((conflict) =>
        conflict
          .column("email_key")
          .doUpdateSet({ requested_at: now })
          // Only an expired request gets a new time: of an open one the confirmation email may still be queued, and is
          // skipped when its time is not the request's (confirmation-email.server.ts).
          .where(
            sql<boolean>`confirmations.confirmed_at is null and confirmations.requested_at <= ${now - LINK_LIFETIME_MS}`,
          ),
      )
      .execute();
    const request = await trx
      .selectFrom("confirmations")
      .select(["id", "confirmed_at"])
      .where("email_key", "=", email_key)
      .executeTakeFirstOrThrow();
    if (request.confirmed_at !== null) return undefined;
    // Not the stored time: this link is good for as long as any other, from its own email on.
    return { id: request.id, requested_at: now, about: "address" };
  });
}
