import type { MirrorSheetsTable } from "~/db/tables/mirrors";
import { minutes, seconds } from "~/lib/durations";
import { MAX_REQUESTED_MS } from "~/services/queue/job-type";
import { START_MS, type Lessee } from "~/services/queue/leases.server";
import type { QueueOptions } from "~/services/queue/queue.server";
import { createWorker, type WorkLoop, type Worker, type WorkerOptions } from "~/services/queue/worker.server";
import {
  claimBatch,
  deleteSheetRows,
  getFirstPlaceToEmpty,
  getNextPlace,
  listRowsInFlight,
  markUnresolved,
  queueMissing,
  recordUnwritten,
  recordWritten,
  type QueuedRow,
  type SheetRows,
} from "./mirror-rows.server";
import {
  hasWork,
  claimSheet,
  NO_PROBLEM,
  getSheet,
  type SheetWriter,
  updateSheet,
  withLeaseRenewal,
  type SheetUpdate,
} from "./mirror-sheets.server";
import { checkSheet, findInSheet, importRows } from "./remote-rows.server";
import type { MirrorOutcome, MirrorProblem, SubmissionMirror } from "./submission-mirror";
import { SUBMISSION_KINDS, type SubmissionKind } from "~/lib/form-fields";

const IDLE_MS = seconds(1);
const CHECK_EVERY_MS = minutes(10);
const FIRST_WAIT_MS = seconds(1);
const LONGEST_WAIT_MS = minutes(5);

interface MirrorWorkerOptions extends WorkerOptions, Omit<QueueOptions, "concurrency" | "rate"> {
  readonly mirror: SubmissionMirror;
  /** Hash of each form's target; with another one the copy starts over, unless the mirror cannot be read (#connect). */
  readonly targets: Readonly<Record<SubmissionKind, string>>;
  /** Returns a number from 0 to below 1, the jitter of retry delays. */
  readonly random: () => number;
}

const UNCONNECTED = { connected_at: null, written_at: null, checked_at: null, drifted: 0 } as const;

/** Creates the worker that copies submissions to the mirror. */
export function createMirrorWorker(options: MirrorWorkerOptions): Worker {
  return createWorker("the mirror", () => new MirrorLoop(options), options);
}

/**
 * Runs the next step of each sheet: connects it, resolves a write without a result, compares it, or writes a batch.
 * Places are assigned here, and stored before a batch is sent, so that it can be sent to the same places again.
 */
class MirrorLoop implements WorkLoop {
  readonly inFlight = 0;
  readonly #deps: MirrorWorkerOptions;
  readonly #lessee: Lessee;
  readonly #startedAt: number;
  /** Sheets this process has tried since its start: a problem recorded earlier may be fixed. */
  readonly #tried = new Set<SubmissionKind>();
  readonly #connected = new Set<SubmissionKind>();
  /** Results of writes that are not recorded yet, because the database was unavailable. */
  readonly #unrecorded = new Map<SubmissionKind, { rows: readonly QueuedRow[]; outcome: MirrorOutcome }>();
  /** Number of problems per sheet since it was connected, written, or checked with nothing left to write. */
  readonly #problemCounts = new Map<SubmissionKind, number>();
  /** Number of rows to write one by one, to find the one that is refused. */
  readonly #oneByOne = new Map<SubmissionKind, number>();
  #stopping = false;

  constructor(options: MirrorWorkerOptions) {
    this.#deps = options;
    const { instance, newId, leaseTime } = options;
    this.#lessee = { owner: `${instance}/${newId()}`, leaseTime };
    this.#startedAt = options.clock();
  }

  get #writer(): SheetWriter {
    return { ...this.#lessee, isStarting: Math.abs(this.#deps.clock() - this.#startedAt) < START_MS };
  }

  get idle(): boolean {
    return this.#unrecorded.size === 0;
  }

  beginStopping(): void {
    this.#stopping = true;
  }

  async next(): Promise<number> {
    const steps = await Promise.allSettled(SUBMISSION_KINDS.map((kind) => this.#step(kind)));
    const failed = steps.find((step) => step.status === "rejected");
    if (failed) throw failed.reason;
    return Math.min(...steps.map((step) => (step.status === "fulfilled" ? step.value : IDLE_MS)));
  }

  /** @returns milliseconds until the next step of the sheet. */
  async #step(kind: SubmissionKind): Promise<number> {
    const { database, clock, targets } = this.#deps;
    await this.#record(kind);
    if (this.#stopping) return IDLE_MS;
    const isFirst = !this.#connected.has(kind);
    const sheet = await getSheet(database.read, kind);
    // Another instance has connected another target since: this one was started with the settings before.
    if (!isFirst && sheet.target !== targets[kind]) return IDLE_MS;
    const waitMs = sheet.not_before - clock();
    // A longer wait is from before the clock was set back.
    const isOnHold = sheet.problem === "misconfigured" || (waitMs > 0 && waitMs <= MAX_REQUESTED_MS);
    if (isOnHold && this.#tried.has(kind)) return IDLE_MS;
    const isWorkLeft = await hasWork(database, kind);
    if (!isFirst && !isWorkLeft && !this.#isCheckDue(sheet)) return IDLE_MS;
    if (!(await database.write((trx) => claimSheet(trx, kind, this.#writer)))) return IDLE_MS;
    this.#tried.add(kind);
    return withLeaseRenewal(database, kind, this.#writer, () => this.#workOn(kind, isFirst));
  }

  async #workOn(kind: SubmissionKind, isFirst: boolean): Promise<number> {
    const problem =
      (isFirst ? await this.#connect(kind) : undefined) ??
      (await this.#resolveInFlight(kind)) ??
      (await this.#checkIfDue(kind));
    if (problem) return this.#recordProblem(kind, problem);
    return this.#write(kind);
  }

  #isCheckDue({ checked_at, is_repair_requested }: MirrorSheetsTable): boolean {
    if (!this.#deps.mirror.read) return false;
    // One in the future was before the clock was set back.
    const sinceCheckMs = Math.abs(this.#deps.clock() - (checked_at ?? 0));
    return is_repair_requested === 1 || sinceCheckMs >= CHECK_EVERY_MS;
  }

  /** Connects a sheet; at first, imports its rows, and queues all accepted submissions behind them. */
  async #connect(kind: SubmissionKind): Promise<MirrorProblem | undefined> {
    const { database, mirror, targets, clock } = this.#deps;
    // Read again, now that no other instance changes it.
    const sheet = await getSheet(database.read, kind);
    const target = targets[kind];
    // A target that cannot be read may be the same sheet at a new address: its rows must not be written again.
    const isNew = sheet.target !== target && (mirror.read !== undefined || sheet.target === "");
    if (isNew) {
      await deleteSheetRows(database, kind);
      await this.#update(kind, { ...UNCONNECTED, target });
    }
    const isUnread = isNew || sheet.connected_at === null;
    if (isUnread) {
      const sheetRows = await this.#importNewRows(kind);
      if (sheetRows && "kind" in sheetRows) return sheetRows;
    }
    await queueMissing(database, kind);
    const now = clock();
    const connected_at = isNew ? now : (sheet.connected_at ?? now);
    const checked_at = isUnread && mirror.read ? now : sheet.checked_at;
    await this.#update(kind, { ...NO_PROBLEM, target, connected_at, checked_at });
    this.#connected.add(kind);
    this.#problemCounts.delete(kind);
    return undefined;
  }

  /**
   * Imports the rows below all known ones.
   * @returns what it read: these, and all from the first place to be emptied on.
   */
  async #importNewRows(kind: SubmissionKind): Promise<SheetRows | MirrorProblem | undefined> {
    const { database, mirror } = this.#deps;
    if (!mirror.read) return undefined;
    const next = await getNextPlace(database.read, kind);
    const from = (await getFirstPlaceToEmpty(database.read, kind)) ?? next;
    const reading = await mirror.read(kind, from);
    if (reading.kind !== "rows") return reading;
    const found = reading.rows.slice(next - from).map((cells, index) => ({ place: next + index, cells }));
    await importRows(this.#deps, kind, found);
    return { from, rows: reading.rows };
  }

  /** Resolves rows of writes without a result: after a timeout, or of a process that is gone. */
  async #resolveInFlight(kind: SubmissionKind): Promise<MirrorProblem | undefined> {
    const { database, mirror } = this.#deps;
    const rows = await listRowsInFlight(database.read, kind, mirror.batch);
    if (rows.length === 0) return undefined;
    const found = await findInSheet(this.#deps, kind, rows);
    if (found && "kind" in found) return found;
    await database.write(async (trx) => {
      if (found) {
        await recordWritten(trx, found.present);
        // A submission deleted since may be in the mirror all the same: its row keeps its place, to be emptied.
        await recordUnwritten(trx, found.missing, { ifWriting: true });
      } else {
        await markUnresolved(trx, rows, mirror.isRepeatable ? "waiting" : "uncertain");
      }
      await updateSheet(trx, kind, NO_PROBLEM);
    });
    return undefined;
  }

  async #checkIfDue(kind: SubmissionKind): Promise<MirrorProblem | undefined> {
    const { database, clock } = this.#deps;
    const sheet = await getSheet(database.read, kind);
    if (!this.#isCheckDue(sheet)) return undefined;
    const isRepair = sheet.is_repair_requested === 1;
    const checked = await checkSheet(this.#deps, kind, isRepair);
    if ("kind" in checked) return checked;
    const found = { ...NO_PROBLEM, checked_at: clock(), drifted: checked.drifted };
    // A repair that was requested during another check remains to be done.
    await this.#update(kind, isRepair ? { ...found, drifted: 0, is_repair_requested: 0 } : found);
    // While rows wait, writes may fail although the sheet can be read.
    if (!(await hasWork(database, kind))) this.#problemCounts.delete(kind);
    return undefined;
  }

  async #write(kind: SubmissionKind): Promise<number> {
    const { database, mirror } = this.#deps;
    if (!(await hasWork(database, kind))) return IDLE_MS;
    // A person may have used the next places by now.
    const sheetRows = mirror.isRepeatable ? await this.#importNewRows(kind) : undefined;
    if (sheetRows && "kind" in sheetRows) return this.#recordProblem(kind, sheetRows);
    const single = this.#oneByOne.get(kind) ?? 0;
    const limit = single > 0 ? 1 : mirror.batch;
    const batch = await database.write(async (trx) => {
      if (!(await claimSheet(trx, kind, this.#writer))) return undefined;
      return claimBatch(trx, kind, { limit, isRepeatable: mirror.isRepeatable, sheetRows });
    });
    if (!batch) return IDLE_MS;
    if (single > 0) this.#oneByOne.set(kind, single - 1);
    const cells = batch.rows.map((row) => row.cells);
    const outcome = await mirror.write(kind, batch.at, cells);
    this.#unrecorded.set(kind, { rows: batch.rows, outcome });
    await this.#record(kind);
    return outcome.kind === "written" || outcome.kind === "refused" ? 0 : IDLE_MS;
  }

  async #record(kind: SubmissionKind): Promise<void> {
    const { database, clock } = this.#deps;
    const finished = this.#unrecorded.get(kind);
    if (!finished) return;
    const { rows, outcome } = finished;
    switch (outcome.kind) {
      case "written":
        await database.write(async (trx) => {
          await recordWritten(trx, rows);
          await updateSheet(trx, kind, { written_at: clock(), ...NO_PROBLEM });
        });
        this.#problemCounts.delete(kind);
        break;
      case "refused":
        await database.write(async (trx) => {
          await recordUnwritten(trx, rows, rows.length > 1 ? {} : { refusal: outcome.detail });
          // The mirror answers, whatever it says about these rows.
          await updateSheet(trx, kind, NO_PROBLEM);
        });
        if (rows.length > 1) this.#oneByOne.set(kind, rows.length);
        this.#problemCounts.delete(kind);
        break;
      case "unknown":
        // The rows stay in flight: the next step finds out what became of them, or marks them (#resolveInFlight).
        await this.#recordProblem(kind, { kind: "deferred", detail: outcome.detail });
        break;
      case "deferred":
      case "misconfigured":
        await database.write((trx) => recordUnwritten(trx, rows));
        await this.#recordProblem(kind, outcome);
        break;
    }
    this.#unrecorded.delete(kind);
  }

  /** Records a problem and when to retry: exponential backoff, half of it random so that instances spread out. */
  async #recordProblem(kind: SubmissionKind, problem: MirrorProblem): Promise<number> {
    const { clock, random, log } = this.#deps;
    const before = this.#problemCounts.get(kind) ?? 0;
    this.#problemCounts.set(kind, before + 1);
    const step = Math.min(FIRST_WAIT_MS * 2 ** before, LONGEST_WAIT_MS);
    const requestedMs = problem.kind === "deferred" ? (problem.retryAfterMs ?? 0) : 0;
    const waitMs = Math.max(
      Math.min(requestedMs, MAX_REQUESTED_MS),
      Math.round(step / 2 + (random() * step) / 2),
    );
    const { detail } = problem;
    await this.#update(kind, { problem: problem.kind, detail, not_before: clock() + waitMs });
    if (before === 0) log.error({ kind, detail }, "the mirror cannot be read or written");
    return IDLE_MS;
  }

  #update(kind: SubmissionKind, set: SheetUpdate): Promise<void> {
    return this.#deps.database.write((trx) => updateSheet(trx, kind, set));
  }
}
