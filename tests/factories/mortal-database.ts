import type { Database } from "~/db/database.server";

/** Moments at which a process dies, of a write. */
export const MOMENTS = ["before", "after"] as const;

/**
 * Wraps a database as a dying process sees it: the process dies by `kill`, or at the given write, before it is
 * applied or after it and before its result is returned. From then on every read and write throws.
 */
export function createMortalDatabase(
  database: Database,
  death?: { atWrite: number; moment: (typeof MOMENTS)[number] },
) {
  let writes = 0;
  let dead = false;
  const dieIf = (isTime: boolean) => {
    dead ||= isTime;
    if (dead) throw new Error("killed");
  };
  const victim: Database = {
    ...database,
    get read() {
      dieIf(false);
      return database.read;
    },
    write: async (work) => {
      dieIf(false);
      writes += 1;
      dieIf(writes === death?.atWrite && death.moment === "before");
      const value = await database.write(work);
      dieIf(writes === death?.atWrite);
      return value;
    },
  };
  return { victim, kill: () => void (dead = true) };
}
