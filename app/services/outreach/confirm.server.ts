import type { Database, Write } from "~/db/database.server";
import { codePoints } from "~/lib/clean-text";
import type { Clock } from "~/services/clock";
import { findSend } from "./book.server";
import { lastOfAudience, sizeOfAudience } from "./audience.server";
import { planFor, problemWith } from "./plan";
import type { Schedule, ScheduleProblem } from "./plan";
import { lockSend } from "./sends.server";
import type { Send } from "./sends.server";

/** In code points. */
const LETTER_LIMITS = { title: 200, message: 20_000 } as const;

/** "already": it was confirmed before, and this changed nothing (hardening C30). */
export type Confirmation =
  | { ok: true; already: boolean }
  | { ok: false; error: "unknown-send" | "not-sendable" | "no-recipients" | ScheduleProblem }
  | { ok: false; error: "audience-changed"; recipients: number };

/**
 * Draft to preparing, in one write: from here the send goes on by itself. The audience is every address that signed up
 * until now, also when it begins later; who signs up later gets no mail of this send. It is counted before the write, up
 * to the last signup of then, because to count a million takes a second: who unsubscribes in that second is skipped, like
 * everybody who does so later.
 * @param given.expectedRecipients as the operator was shown; another number now must be shown first.
 * @param given.schedule when it is to begin; left out, at once or when the hold window is over.
 */
export async function confirmSend(
  { database, clock, holdMs }: { database: Database; clock: Clock; holdMs: number },
  given: { sendId: string; expectedRecipients: number; schedule?: Schedule | undefined },
  alongside: (trx: Write) => Promise<void>,
): Promise<Confirmation> {
  const { sendId, expectedRecipients, schedule } = given;
  const shown = await findSend(database.read, sendId);
  if (!shown) return { ok: false, error: "unknown-send" };
  if (shown.state !== "draft") return { ok: true, already: true };
  const audience_through = await lastOfAudience(database.read, shown.audience);
  const { mailable } = await sizeOfAudience(database.read, shown.audience, audience_through);
  return database.write(async (trx): Promise<Confirmation> => {
    const send = await lockSend(trx, database.dialect, sendId);
    if (!send) return { ok: false, error: "unknown-send" };
    if (send.state !== "draft") return { ok: true, already: true };
    const now = clock();
    const problem = schedule && problemWith(schedule, now);
    if (problem) return { ok: false, error: problem };
    if (!isSendable(send)) return { ok: false, error: "not-sendable" };
    if (mailable === 0) return { ok: false, error: "no-recipients" };
    // Another group may have been chosen in another window meanwhile.
    if (mailable !== expectedRecipients || send.audience !== shown.audience)
      return { ok: false, error: "audience-changed", recipients: mailable };
    await trx
      .updateTable("sends")
      .set({
        state: "preparing",
        confirmed_at: now,
        ...planFor(schedule, holdMs, now),
        audience_through,
      })
      .where("id", "=", sendId)
      .execute();
    await alongside(trx);
    return { ok: true, already: false };
  });
}

/** A title that becomes one header line, and a message; both within their limits. */
function isSendable({ title, message }: Pick<Send, "title" | "message">): boolean {
  const isFilled = title.trim() !== "" && message.trim() !== "";
  const isOneLine = !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(title);
  return (
    isFilled &&
    isOneLine &&
    codePoints(title) <= LETTER_LIMITS.title &&
    codePoints(message) <= LETTER_LIMITS.message
  );
}
