import type { Database, Write } from "~/db/database.server";

/** Something that was done at a moment of the made-up past. */
export interface Deed {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly do: () => Promise<unknown>;
  /** It only writes: many that follow one another may be one transaction. */
  readonly isWrite?: boolean;
}

/** Deeds of one transaction at most. */
const TOGETHER = 500;

/** A clock that stands where the past is. */
export function createPast(from: number) {
  let now = from;
  return { clock: () => now, moveTo: (at: number): void => void (now = Math.max(now, at)) };
}

export type Past = ReturnType<typeof createPast>;

/**
 * The database with one more thing it can: whatever is written during `together` is one transaction. A disk is waited for once,
 * and not at each of many thousand rows.
 */
export function joinWrites(database: Database) {
  let joined: Write | undefined;
  return {
    database: {
      ...database,
      write: <T>(work: (trx: Write) => Promise<T>): Promise<T> =>
        joined ? work(joined) : database.write(work),
    } satisfies Database,

    async together(work: () => Promise<void>): Promise<void> {
      await database.write(async (trx) => {
        joined = trx;
        try {
          await work();
        } finally {
          joined = undefined;
        }
      });
    },
  };
}

/** Does them in the order of time, each with the clock at its moment. */
export async function doInOrder(
  deeds: readonly Deed[],
  past: Past,
  together: (work: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const ordered = deeds.toSorted((a, b) => a.at - b.at);
  for (let next = 0; next < ordered.length;) {
    const rest = ordered.slice(next, next + TOGETHER);
    const single = rest.findIndex(({ isWrite }) => !isWrite);
    const some = single === 0 ? rest.slice(0, 1) : rest.slice(0, single < 0 ? undefined : single);
    const work = async () => {
      for (const deed of some) {
        past.moveTo(deed.at);
        await deed.do();
      }
    };
    await (single === 0 ? work() : together(work));
    next += some.length;
  }
}
