import type { SubmissionKind } from "~/lib/form-fields";
import type {
  MirrorOutcome,
  MirrorRow,
  MirrorProblem,
  SubmissionMirror,
} from "~/services/mirrors/submission-mirror";

/**
 * Outcome of the next call: a trouble; "applied": applied without a response; "lost": neither applied nor
 * answered.
 */
export type MirrorEvent = MirrorProblem | "applied" | "lost";

export const LATER = { kind: "deferred", detail: "429 later" } as const;

/**
 * Mirror in memory that keeps the contract of its port. With places it writes rows where it is told, without them it
 * appends, as an endpoint does.
 */
export class ScriptedMirror implements SubmissionMirror {
  readonly name = "web-endpoint";
  readonly batch: number;
  readonly isRepeatable: boolean;
  readonly read: SubmissionMirror["read"];
  /** Rows below the headers; tests change them as people would. */
  readonly sheets: Record<SubmissionKind, string[][]> = {
    "early-access": [],
    "contact-form": [],
    "updates-signup": [],
  };
  /** Outcomes of the next writes and reads, one each; later ones succeed. */
  readonly writeEvents: MirrorEvent[] = [];
  readonly readEvents: MirrorProblem[] = [];
  /** Decides which rows are refused for good. */
  refuses: (row: MirrorRow) => boolean = () => false;
  /** What happens during the next writes and reads, one each. */
  readonly duringWrites: (() => Promise<unknown>)[] = [];
  readonly duringReads: ((kind: SubmissionKind) => Promise<unknown>)[] = [];
  writes = 0;
  reads = 0;

  constructor({ hasPlaces = true, canRead = true, batch = 500 } = {}) {
    this.isRepeatable = hasPlaces;
    this.batch = batch;
    this.read = canRead ? (kind, from) => this.#read(kind, from) : undefined;
  }

  async write(kind: SubmissionKind, at: number, rows: readonly MirrorRow[]): Promise<MirrorOutcome> {
    this.writes += 1;
    await this.duringWrites.shift()?.();
    const event = this.writeEvents.shift();
    if (event === "lost") return { kind: "unknown", detail: "no answer" };
    if (typeof event === "object") return event;
    if (rows.some(this.refuses)) return { kind: "refused", detail: "not this one" };
    const sheet = this.sheets[kind];
    const first = this.isRepeatable ? at - 1 : sheet.length;
    while (sheet.length < first) sheet.push([]);
    for (const [index, row] of rows.entries()) sheet[first + index] = [...row];
    return event === "applied" ? { kind: "unknown", detail: "no answer" } : { kind: "written" };
  }

  async close(): Promise<void> {}

  async #read(kind: SubmissionKind, from: number) {
    this.reads += 1;
    const failure = this.readEvents.shift();
    await this.duringReads.shift()?.(kind);
    if (failure) return failure;
    const sheet = this.sheets[kind];
    const last = sheet.findLastIndex((row) => row.some((cell) => cell !== ""));
    return { kind: "rows", rows: sheet.slice(from - 1, last + 1).map((row) => [...row]) } as const;
  }
}
