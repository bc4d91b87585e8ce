import type { Read } from "~/db/database.server";

export interface FailureCause {
  /** In the push service's words. */
  readonly detail: string;
  readonly state: "failed" | "gone";
  readonly count: number;
}

/** So many failed devices of each state are looked at: what is the matter with more shows in them. */
const MOST_READ = 10_000;
const MOST_SHOWN = 6;

/** Groups the devices a notification did not reach by what their push service said, the most frequent cause first. */
export async function getFailureCauses(read: Read, broadcastId: string): Promise<FailureCause[]> {
  const byState = await Promise.all(
    (["failed", "gone"] as const).map(async (state) => {
      const rows = await read
        .selectFrom((db) =>
          db
            .selectFrom("pushes")
            .select("detail")
            .where("broadcast_id", "=", broadcastId)
            .where("state", "=", state)
            .orderBy("id")
            .limit(MOST_READ)
            .as("some"),
        )
        .select(({ fn }) => ["detail", fn.countAll<number>().as("count")])
        .groupBy("detail")
        .orderBy("count", "desc")
        .limit(MOST_SHOWN)
        .execute();
      return rows.map((row) => ({ ...row, state }));
    }),
  );
  return byState
    .flat()
    .sort((one, other) => other.count - one.count)
    .slice(0, MOST_SHOWN);
}
