import type { GoogleCredential } from "~/services/google/google-credential.server";
import type { MirrorRow } from "~/services/mirrors/submission-mirror";
import { startWorkspace, type Workspace } from "../fakes/google-workspace";
import { createSheetsMirror } from "./google-workspace";
import { createTestClock } from "./time";

/** The form whose sheet tests read by default. */
export const KIND = "early-access";

export const people = (count: number, from = 1): MirrorRow[] =>
  Array.from({ length: count }, (_, at) => {
    const number = String(from + at);
    return [`Person ${number}`, `p${number}@example.test`, "Acme", "developer", "2026-11-22T08:00:00.000Z"];
  });

type SheetsMirrorOptions = Parameters<typeof createSheetsMirror>[1] & {
  quota?: number;
  credentialFor?: (google: Workspace) => GoogleCredential;
};

/** Starts a fake Google and a mirror into it; returns both, with the first form's tab and the writes so far. */
export async function startSheetsMirror(
  later: (cleanup: () => unknown) => void,
  { quota, credentialFor, clock = createTestClock(), ...different }: SheetsMirrorOptions = {},
) {
  const google = await startWorkspace({ now: clock, ...(quota && { quota }) });
  later(google.close);
  const credential = credentialFor?.(google);
  const made = createSheetsMirror(google, { clock, ...(credential && { credential }), ...different });
  later(() => made.mirror.close());
  const writes = () => google.requests.filter((each) => each.startsWith("PUT ")).map(decodeURIComponent);
  return { google, ...made, tab: made.tabs[KIND], writes };
}
