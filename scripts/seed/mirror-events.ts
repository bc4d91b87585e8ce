import { days, minutes } from "~/lib/durations";
import { createMirrorWorker } from "~/services/mirrors/mirror-worker.server";
import { onDay } from "./past";
import type { PastEvent, PastTools } from "./past";
import { SilentMirror } from "./silent-drivers";

/** How long ago the mirror stopped; later submissions are pending. */
const STOPPED = days(4);

/** Seeds a mirror of the submissions that worked for long, and then stopped until somebody repairs it. */
export function mirrorEvents(tools: PastTools): PastEvent[] {
  const { now } = tools;
  const mirror = new SilentMirror();
  const worker = createMirrorWorker({
    ...tools,
    mirror,
    targets: { "early-access": "seed", "contact-form": "seed", "updates-signup": "seed" },
    // Seeding never waits.
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
