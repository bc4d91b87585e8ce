import { createSuppressionList } from "~/services/suppressions/suppression-list.server";
import { suppress } from "~/services/suppressions/suppressions.server";
import { onDay } from "./past";
import type { PastEvent, PastTools } from "./past";

/** Seeds suppressed addresses other than unsubscribed ones: added, imported, bounced and complained. */
export function suppressionEvents({ database, clock, newId, now, operator }: PastTools): PastEvent[] {
  const list = createSuppressionList({ database, clock, newId });
  const brought = Array.from({ length: 9 }, (_, index) => `former.customer${index + 1}@example.net`);
  const report = (reason: "bounced" | "complained", address: string, detail: string) => () =>
    database.write((trx) => suppress(trx, newId, reason, [{ address, detail, deliveryId: null }], clock()));
  return [
    { at: onDay(now, 80), do: () => list.importAll(brought, operator()) },
    { at: onDay(now, 52), do: () => list.add("press@example.org", "Asked on the phone", operator()) },
    { at: onDay(now, 17), do: () => list.add("reception@example.com", "A shared mailbox", operator()) },
    { at: onDay(now, 39), do: report("bounced", "moved.away@example.org", "The mailbox was closed.") },
    { at: onDay(now, 30), do: report("complained", "not.amused@example.net", "Marked as unwanted.") },
  ];
}
