import type { SubmissionKind } from "~/lib/form-fields";

/** Cells of one submission in the specification's order (section 3), as text. */
export type MirrorRow = readonly string[];

/**
 * Port for a copy of the submissions elsewhere. Drivers: docs/drivers.md. Contract:
 * tests/contracts/submission-mirror.test.ts.
 *
 * Contract
 * - Places count from 1, the first row below the header; the header is never counted, and written where it is
 *   missing.
 * - Nothing throws for what a network or the remote service does: each such result is a value, with the
 *   service's own message in `detail`: one line, no secrets.
 * - Every call settles within 60 s, and respects the remote service's quotas by itself.
 */
export interface SubmissionMirror {
  /** Driver name in the settings and in the status bar. */
  readonly name: "google-sheets" | "web-endpoint";
  /** Maximum number of rows per write. */
  readonly batch: number;
  /** True when the same rows can be written to the same place again without being duplicated. */
  readonly isRepeatable: boolean;

  /** Reads the rows from this place on, without empty rows at the end. `undefined`: the mirror cannot be read. */
  read: ((kind: SubmissionKind, from: number) => Promise<MirrorReading>) | undefined;

  /** Writes rows in order, from this place on: all of them or, unless the outcome is `unknown`, none. */
  write(kind: SubmissionKind, at: number, rows: readonly MirrorRow[]): Promise<MirrorOutcome>;

  close(): Promise<void>;
}

/**
 * Result of a write.
 * - written: the rows are in the mirror.
 * - deferred: they are not, and nobody has to act (a quota, 5xx, no connection); `retryAfterMs` when the
 *   service said how long to wait.
 * - misconfigured: they are not, and will not be until somebody fixes a setting; `detail` says which, and how.
 * - refused: they are not, because of their content; never retry.
 * - unknown: everything was sent and no response came: the rows are there or not.
 */
export type MirrorOutcome =
  | { readonly kind: "written" }
  | MirrorProblem
  | { readonly kind: "refused" | "unknown"; readonly detail: string };

/** Problem that prevents all reads and writes. */
export type MirrorProblem =
  | { readonly kind: "deferred"; readonly detail: string; readonly retryAfterMs?: number | undefined }
  | { readonly kind: "misconfigured"; readonly detail: string };

export type MirrorReading = { readonly kind: "rows"; readonly rows: readonly MirrorRow[] } | MirrorProblem;
