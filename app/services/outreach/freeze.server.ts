import type { Database } from "~/db/database.server";
import type { Clock } from "~/services/clock";
import type { NewId } from "~/services/ids.server";
import type { OpenSend } from "./sends.server";

export const CHUNK = 1000;

/**
 * Copies the next thousand signups of a confirmed send into the ledger, once per address, and notes in the same write
 * how far it has come: stopped at any point, it goes on from there. After the last one the send may begin.
 */
export async function freezeChunk(
  has: { database: Database; clock: Clock; newId: NewId; mailDomain: string },
  send: OpenSend,
): Promise<void> {
  const { database, clock, newId, mailDomain } = has;
  await database.write(async (trx) => {
    const signups = await trx
      .selectFrom("submissions")
      .select(["id", "name", "email", "email_key"])
      .where("kind", "=", send.audience)
      .where("state", "=", "accepted")
      .where("id", ">", send.prepared_through)
      .where("id", "<=", send.audience_through)
      // Who was let in after the click was not among those the operator confirmed, however old the id.
      .where((signup) =>
        signup.or([signup("admitted_at", "is", null), signup("admitted_at", "<=", send.confirmed_at ?? 0)]),
      )
      .orderBy("id")
      .limit(CHUNK)
      .execute();
    const last = signups.length === CHUNK ? signups.at(-1) : undefined;
    const moved = await trx
      .updateTable("sends")
      .set(
        last ? { prepared_through: last.id } : { prepared_through: send.audience_through, state: "sending" },
      )
      .where("id", "=", send.id)
      .where("state", "=", "preparing")
      // Another instance may have copied this chunk meanwhile.
      .where("prepared_through", "=", send.prepared_through)
      .executeTakeFirst();
    if (moved.numUpdatedRows === 0n || signups.length === 0) return;

    const now = clock();
    await trx
      .insertInto("deliveries")
      .values(
        signups.map(({ name, email, email_key }) => {
          const id = newId();
          return {
            id,
            send_id: send.id,
            address: email,
            email_key,
            name,
            message_id: `<${id}@${mailDomain}>`,
            state: "pending" as const,
            detail: "",
            not_before: 0,
            lease_owner: "",
            lease_until: 0,
            updated_at: now,
          };
        }),
      )
      .onConflict((conflict) => conflict.columns(["send_id", "email_key"]).doNothing())
      .execute();
  });
}
