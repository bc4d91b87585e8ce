import type { Database, Write } from "~/db/database.server";
import { codePoints } from "~/lib/clean-text";
import type { Clock } from "~/services/clock";
import { lastOfAudience, sizeOfAudience } from "./audience.server";
import { lockSend } from "./sends.server";
import type { Send } from "./sends.server";

/** In code points. */
export const LETTER_LIMITS = { title: 200, message: 20_000 } as const;

/** "already": it was confirmed before, and this changed nothing (hardening C30). */
export type Confirmation =
  | { ok: true; already: boolean }
  | { ok: false; error: "unknown-send" | "not-sendable" | "no-recipients" }
  | { ok: false; error: "audience-changed"; recipients: number };

/**
 * Draft to preparing, in one write: from here the send goes on by itself. The audience is every address that signed up
 * until now; who signs up later gets no mail of this send.
 * @param expectedRecipients as the operator was shown; another number now must be shown first.
 */
export function confirmSend(
  { database, clock }: { database: Database; clock: Clock },
  { sendId, expectedRecipients }: { sendId: string; expectedRecipients: number },
  alongside: (trx: Write) => Promise<void>,
): Promise<Confirmation> {
  return database.write(async (trx): Promise<Confirmation> => {
    const send = await lockSend(trx, database.dialect, sendId);
    if (!send) return { ok: false, error: "unknown-send" };
    if (send.state !== "draft") return { ok: true, already: true };
    if (!isSendable(send)) return { ok: false, error: "not-sendable" };
    const { mailable } = await sizeOfAudience(trx, send.audience);
    if (mailable === 0) return { ok: false, error: "no-recipients" };
    if (mailable !== expectedRecipients)
      return { ok: false, error: "audience-changed", recipients: mailable };
    await trx
      .updateTable("sends")
      .set({
        state: "preparing",
        confirmed_at: clock(),
        audience_through: await lastOfAudience(trx, send.audience),
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
