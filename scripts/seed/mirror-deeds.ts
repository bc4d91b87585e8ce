import { sharedTimeOf } from "~/db/shared-time.server";
import { days, minutes } from "~/lib/durations";
import { createMirrorWorker } from "~/services/mirrors/mirror-worker.server";
import type { Deed } from "./deeds";
import { onDay } from "./moments";
import type { PastTools } from "./past-tools";
import { SilentMirror } from "./silent-drivers";

/** How long ago the copy stopped: what came since waits. */
const STOPPED = days(4);

/** A copy of the submissions that went well for long, and then stopped for want of somebody who mends it. */
export function mirrorDeeds({ database, clock, newId, random, now }: PastTools): Deed[] {
  const mirror = new SilentMirror();
  const worker = createMirrorWorker({
    database,
    mirror,
    clock,
    newId,
    random,
    instance: "seed",
    leaseTime: sharedTimeOf(database.dialect),
    targets: { "early-access": "seed", "contact-form": "seed", "updates-signup": "seed" },
    log: { info: () => undefined, error: () => undefined },
    // Nobody waits in the past.
    setTimer: (_ms, callback) => (callback(), () => undefined),
  });
  const stop = async () => {
    mirror.answer = { kind: "misconfigured", detail: "404 There is no such endpoint any more." };
  };
  return [
    { at: onDay(now, 30), do: worker.tick },
    { at: now - STOPPED - minutes(5), do: worker.tick },
    { at: now - STOPPED, do: stop },
    { at: now - minutes(3), do: worker.tick },
  ];
}
