import type { SubmissionsTable } from "~/db/tables/submissions";

export type SubmissionState = SubmissionsTable["state"];

/** All states, in the order in which their counts are locked. */
export const SUBMISSION_STATES: readonly SubmissionState[] = [
  "accepted",
  "deleted",
  "quarantined",
  "unconfirmed",
];
