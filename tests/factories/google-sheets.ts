import type { GoogleCredential } from "~/services/google/google-credential.server";
import { GoogleSheetsMirror } from "~/services/mirrors/drivers/google-sheets-mirror.server";
import type { MirrorRow } from "~/services/mirrors/submission-mirror";
import { removeAfterTest } from "../fixture";
import { startWorkspace, type Workspace } from "../fakes/google-workspace";
import { Tab } from "../fakes/spreadsheet-grid";
import { createCredential, openTestAccount, SPREADSHEETS } from "./google-workspace";
import { createTestClock } from "./time";
import { SUBMISSION_KINDS } from "~/lib/form-fields";

/** The form whose sheet tests read by default. */
export const KIND = "early-access";

export const people = (count: number, from = 1): MirrorRow[] =>
  Array.from({ length: count }, (_, at) => {
    const number = String(from + at);
    return [`Person ${number}`, `p${number}@example.test`, "Acme", "developer", "2026-11-22T08:00:00.000Z"];
  });

interface SheetsMirrorOptions {
  credentialFor?: (google: Workspace) => GoogleCredential;
  /** The tab of the first form's spreadsheet. */
  tab?: Tab;
  timeoutMs?: number;
  ca?: string;
}

/**
 * Starts a fake Google with three spreadsheets and a mirror into them, for the time of the test. The mirror's waits
 * advance its clock; `writes` lists its writes so far.
 */
export async function startSheetsMirror({
  credentialFor = createCredential["service-account"],
  tab = new Tab(),
  ...transport
}: SheetsMirrorOptions = {}) {
  const clock = createTestClock();
  const google = removeAfterTest(await startWorkspace({ now: clock }));
  const tabs = { "early-access": tab, "contact-form": new Tab(), "updates-signup": new Tab() };
  for (const kind of SUBMISSION_KINDS) google.spreadsheet(SPREADSHEETS[kind].id, [tabs[kind]]);
  const account = openTestAccount(google, credentialFor(google), "sheets", transport);
  const waits: number[] = [];
  const wait = async (ms: number) => {
    waits.push(ms);
    clock.forward(ms);
  };
  const mirror = new GoogleSheetsMirror({ account, spreadsheets: SPREADSHEETS, clock, wait });
  removeAfterTest(mirror);
  const writes = () => google.requests.filter((each) => each.startsWith("PUT ")).map(decodeURIComponent);
  return { google, account, mirror, tab, tabs, clock, waits, writes };
}
