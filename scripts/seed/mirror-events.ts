import { days, minutes } from "~/lib/durations";
import { createMirrorWorker } from "~/services/mirrors/mirror-worker.server";
import type { MirrorOutcome, SubmissionMirror } from "~/services/mirrors/submission-mirror";
import { onDay, type PastEvent, type PastTools } from "./past";

/** How long ago the mirror stopped; later submissions are pending. */
const STOPPED = days(4);

/** Seeds a mirror that worked for a long time, and then stopped until somebody fixes its settings. */
export function createMirrorEvents(tools: PastTools): PastEvent[] {
  const { now } = tools;
  let outcome: MirrorOutcome = { kind: "written" };
  // Contacts nobody.
  const mirror: SubmissionMirror = {
    name: "web-endpoint",
    batch: 500,
    isRepeatable: false,
    read: undefined,
    write: async () => outcome,
    close: async () => undefined,
  };
  const worker = createMirrorWorker({
    ...tools,
    mirror,
    targets: { "early-access": "seed", "contact-form": "seed", "updates-signup": "seed" },
    // Seeding never waits.
    setTimer: (_ms, callback) => (callback(), () => undefined),
  });
  const stop = async () => {
    outcome = { kind: "misconfigured", detail: "404 There is no such endpoint any more." };
  };
  return [
    { at: onDay(now, 30), do: worker.tick },
    { at: now - STOPPED - minutes(5), do: worker.tick },
    { at: now - STOPPED, do: stop },
    { at: now - minutes(3), do: worker.tick },
  ];
}
