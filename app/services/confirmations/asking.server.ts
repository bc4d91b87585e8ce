import type { Database, Write } from "~/db/database.server";
import type { SuppressionsTable } from "~/db/tables/suppressions";
import type { NewId } from "~/services/ids.server";
import { nextStep } from "./asking";
import type { Confirmation, NextStep } from "./asking";

type Dialect = Database["dialect"];

const UNSENT = {
  state: "pending",
  detail: "",
  attempts: 0,
  resent_after_crash: 0,
  lease_owner: "",
  lease_until: 0,
} as const;

/** The asking, held until the transaction ends, with why its address gets no mail. */
export async function lockAsking(
  trx: Write,
  dialect: Dialect,
  which: { id: string } | { email_key: string },
): Promise<(Confirmation & { suppression: SuppressionsTable["reason"] | null }) | undefined> {
  return trx
    .selectFrom("confirmations")
    .selectAll()
    .select((row) =>
      row
        .selectFrom("suppressions")
        .select("reason")
        .whereRef("suppressions.email_key", "=", "confirmations.email_key")
        .as("suppression"),
    )
    .where((row) => row.and(which))
    .$if(dialect === "postgres", (query) => query.forUpdate("confirmations"))
    .executeTakeFirst();
}

/** Queues the mail that asks an address, unless it confirmed before or was asked within the hour. */
export async function ask(
  trx: Write,
  { dialect, newId }: { dialect: Dialect; newId: NewId },
  { email, email_key }: { email: string; email_key: string },
  now: number,
): Promise<NextStep> {
  const first = await trx
    .insertInto("confirmations")
    .values({
      id: newId(),
      address: email,
      email_key,
      asked_at: now,
      confirmed_at: null,
      ...UNSENT,
      not_before: 0,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.column("email_key").doNothing())
    .returning("id")
    .executeTakeFirst();
  if (first) return { step: "ask", notBefore: 0 };

  const asked = await lockAsking(trx, dialect, { email_key });
  // It was purged this very moment.
  if (!asked) return ask(trx, { dialect, newId }, { email, email_key }, now);
  const next = nextStep(asked, asked.suppression, now);
  if (next.step === "ask" || next.step === "ask-anew") {
    await trx
      .updateTable("confirmations")
      .set({ address: email, asked_at: now, ...UNSENT, not_before: next.notBefore, updated_at: now })
      // A link that was used must not become good again.
      .$if(next.step === "ask-anew", (query) => query.set({ id: newId(), confirmed_at: null }))
      .where("id", "=", asked.id)
      .execute();
  }
  return next;
}
