import type { Read } from "~/db/database.server";

/** What was reported of mails after they were sent (services/bounces). No count of the books changes by it. */
export interface ReturnedCounts {
  /** Mails that bounced for good. */
  readonly bounced: number;
  /** Mails whose reader complained. */
  readonly complained: number;
}

/** Of one mail: what says most, and of those the latest. */
export interface Returned {
  readonly kind: "complained" | "bounced" | "delayed";
  readonly reason: string;
}

/** From the index alone. */
export async function returnedOf(read: Read, campaignId: string): Promise<ReturnedCounts> {
  const rows = await read
    .selectFrom("bounces")
    .select(({ fn }) => ["type", fn.count<number>("delivery_id").distinct().as("count")])
    .where("send_id", "=", campaignId)
    .where("permanent", "=", 1)
    .groupBy("type")
    .execute();
  const count = (type: string) => rows.find((row) => row.type === type)?.count ?? 0;
  return { bounced: count("bounce"), complained: count("complaint") };
}

/** What came back of these mails of a campaign, by their ids. */
export function returnedAmong(
  read: Read,
  campaignId: string,
  deliveryIds: readonly string[],
): Promise<Map<string, Returned>> {
  return returnedOfMails(
    read,
    deliveryIds.map((id) => ({ id, send_id: campaignId })),
  );
}

/** The same of mails of different campaigns. */
export async function returnedOfMails(
  read: Read,
  mails: readonly { readonly id: string; readonly send_id: string }[],
): Promise<Map<string, Returned>> {
  if (mails.length === 0) return new Map();
  const rows = await read
    .selectFrom("bounces")
    .select(["delivery_id", "type", "permanent", "reason"])
    .where("send_id", "in", [...new Set(mails.map((mail) => mail.send_id))])
    .where(
      "delivery_id",
      "in",
      mails.map((mail) => mail.id),
    )
    .orderBy("happened_at")
    .execute();
  const returned = new Map<string, Returned>();
  for (const { delivery_id, type, permanent, reason } of rows) {
    const kind = type === "complaint" ? "complained" : permanent === 1 ? "bounced" : "delayed";
    const known = returned.get(delivery_id ?? "");
    if (!known || WEIGHT[kind] >= WEIGHT[known.kind]) returned.set(delivery_id ?? "", { kind, reason });
  }
  return returned;
}

const WEIGHT = { delayed: 0, bounced: 1, complained: 2 } as const satisfies Record<Returned["kind"], number>;
