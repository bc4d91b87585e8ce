import { v7 } from "uuid";
import type { Database } from "~/db/database.server";
import type { Random } from "~/lib/seeded-random";
import { between } from "~/lib/seeded-random";
import type { Provenance } from "~/services/audit/audit.server";
import type { Clock } from "~/services/clock";
import type { NewId } from "~/services/ids.server";

/** What every part of the made-up past is made with. */
export interface PastTools {
  readonly database: Database;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly random: Random;
  /** When the past ends. */
  readonly now: number;
}

/** Ids as they would have been made then, and the same for the same seed. */
export function createPastIds(clock: Clock, random: Random): NewId {
  let seq = 0;
  return () =>
    v7({
      msecs: clock(),
      seq: ++seq,
      random: Uint8Array.from({ length: 16 }, () => between(random, 0, 255)),
    });
}

/** Where an operator's request came from. */
export function provenanceOf({ newId }: Pick<PastTools, "newId">): Provenance {
  return { network: "198.51.100.0", requestId: newId() };
}
