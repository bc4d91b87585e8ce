import type { SubmissionKind } from "~/services/signups/typed-columns";

/** The cells of one submission in the specification's order (section 3), as text. */
export type MirrorRow = readonly string[];

/**
 * The port for a copy of the submissions elsewhere. Drivers: docs/drivers.md. Contract: tests/contracts/submission-mirror.test.ts.
 *
 * Contract
 * - Places are counted from 1, the first row below the header; a header is never counted, and written where it is missing.
 * - Nothing throws for what a network or the other side does: each such ending is a value, with the other side's words in
 *   `detail`: one line, no secrets.
 * - Every call settles within 60 s, and keeps to the other side's quotas by itself.
 */
export interface SubmissionMirror {
  /** What the status bar calls it, and what chooses it. */
  readonly name: "google-sheets" | "web-endpoint";
  /** How many rows one write takes at most. */
  readonly batch: number;
  /** Whether the same rows may be written to the same place again without standing there twice. */
  readonly isRepeatable: boolean;

  /** What stands there from this place on, empty rows at the end left out. `undefined`: it cannot be read. */
  read: ((kind: SubmissionKind, from: number) => Promise<MirrorReading>) | undefined;

  /** Writes rows, in their order, so that the first of them stands at this place. All of them or, unless it is `unknown`, none. */
  write(kind: SubmissionKind, at: number, rows: readonly MirrorRow[]): Promise<MirrorOutcome>;

  /** Ends connections. */
  close(): Promise<void>;
}

/**
 * How a write ended.
 * - written: it stands there.
 * - deferred: it does not, and nobody has to do anything about it (a quota, 5xx, no connection); `retryAfterMs` when the other
 *   side said how long to wait.
 * - misconfigured: it does not, and will not until somebody mends a setting; `detail` says which, and what to do.
 * - refused: it does not, for these rows alone (their content); never again.
 * - unknown: no answer came after all was sent: it stands there or not.
 */
export type MirrorOutcome =
  | { readonly kind: "written" }
  | MirrorTrouble
  | { readonly kind: "refused" | "unknown"; readonly detail: string };

/** Why nothing can be written or read now. */
export type MirrorTrouble =
  | { readonly kind: "deferred"; readonly detail: string; readonly retryAfterMs?: number }
  | { readonly kind: "misconfigured"; readonly detail: string };

export type MirrorReading = { readonly kind: "rows"; readonly rows: readonly MirrorRow[] } | MirrorTrouble;
