import { endingOf, poisoned } from "./ending";
import type { Ending } from "./ending";
import type { Claimed } from "./ledger.server";
import type { Letter, SendingOptions } from "./sending-options";

/** Makes one mail and sends it. Never throws: what cannot be made or handed over fails alone (hardening R28). */
export async function deliver(
  has: Pick<SendingOptions, "mailer" | "compose" | "sender" | "unsubscribeUrl" | "clock">,
  letter: Letter | undefined,
  row: Claimed,
): Promise<Ending> {
  try {
    if (!letter) throw new Error("The send is gone");
    const mail = has.compose({
      ...letter,
      recipient: { name: row.name, address: row.address },
      sender: has.sender,
      messageId: row.message_id,
      unsubscribeUrl: has.unsubscribeUrl(row.id),
    });
    return endingOf(row, await has.mailer.send(mail), has.clock());
  } catch (error) {
    return poisoned(row, error);
  }
}
