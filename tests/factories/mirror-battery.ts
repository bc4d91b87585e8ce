import { describe, expect, it } from "vitest";
import { SUBMISSION_KINDS, type SubmissionKind } from "~/lib/form-fields";
import type { MirrorRow, SubmissionMirror } from "~/services/mirrors/submission-mirror";

interface MirrorUnderTest {
  readonly mirror: SubmissionMirror;
  /** Returns the remote cells below the header. */
  rows(kind: SubmissionKind): readonly MirrorRow[];
  /** Makes the next write fail: deferred, too slow, or applied with the response lost. */
  failNext(failure: "429" | "500" | "slow" | "cut-after-apply"): void;
  close(): Promise<void>;
}

const AT = "2026-11-21T08:00:00.000Z";
const ROWS: Record<SubmissionKind, MirrorRow> = {
  "early-access": ["Ada Byron", "ada@example.com", "=1+1", "developer", AT],
  "contact-form": [AT, "Grace Hopper", "grace@example.com", "support", 'Two\nlines, "quoted" \u{1F680}'],
  "updates-signup": [AT, "Zoë Ångström", "zoe@example.com"],
};

/**
 * Tests the contract of SubmissionMirror, for each driver against a server that speaks its protocol.
 * @param open starts the server and the mirror, and closes both after the test.
 * @param options.timeColumn index of the column in which the remote writes its own time.
 */
export function describeMirror(
  name: string,
  open: () => Promise<MirrorUnderTest>,
  { timeColumn = () => -1 }: { timeColumn?: (kind: SubmissionKind) => number } = {},
): void {
  const withoutTime = (kind: SubmissionKind, rows: readonly MirrorRow[]) =>
    rows.map((row) => row.map((cell, index) => (index === timeColumn(kind) ? "" : cell)));
  const oneLine = expect.stringMatching(/^[^\n]+$/);

  describe(name, () => {
    it.each(SUBMISSION_KINDS)("writes a row of %s cell by cell, as text", async (kind) => {
      const { mirror, rows } = await open();
      expect(await mirror.write(kind, 1, [ROWS[kind]])).toEqual({ kind: "written" });
      expect(withoutTime(kind, rows(kind))).toEqual(withoutTime(kind, [ROWS[kind]]));
    });

    it.each(["429", "500"] as const)("defers after %s and writes nothing", async (failure) => {
      const { mirror, rows, failNext } = await open();
      failNext(failure);
      const outcome = await mirror.write("early-access", 1, [ROWS["early-access"]]);
      expect(outcome).toMatchObject({ kind: "deferred", detail: oneLine });
      expect(rows("early-access")).toEqual([]);
    });

    it.each(["slow", "cut-after-apply"] as const)("reports unknown after %s", async (failure) => {
      const { mirror, failNext } = await open();
      failNext(failure);
      const outcome = await mirror.write("early-access", 1, [ROWS["early-access"]]);
      expect(outcome).toMatchObject({ kind: "unknown", detail: oneLine });
    });

    it("has a row once that is written again after a lost response", async () => {
      const { mirror, rows, failNext } = await open();
      if (!mirror.isRepeatable) return expect(mirror.batch).toBe(1);
      failNext("cut-after-apply");
      const two = [ROWS["early-access"], ["Grace", "grace@example.com", "", "", AT]];
      await mirror.write("early-access", 1, two);
      expect(await mirror.write("early-access", 1, two)).toEqual({ kind: "written" });
      expect(rows("early-access")).toEqual(two);
    });

    it("keeps the order of writes, and reads from a place to the end, where it can read", async () => {
      const { mirror, rows } = await open();
      const kind = "early-access";
      for (const place of [1, 2, 3]) {
        await mirror.write(kind, place, [[`P${place}`, "p@example.com", "", "", AT]]);
      }
      expect(rows(kind).map(([first]) => first)).toEqual(["P1", "P2", "P3"]);
      const { read } = mirror;
      if (!read) return;
      const reading = await read(kind, 2);
      expect(reading.kind === "rows" && reading.rows.map(([first]) => first)).toEqual(["P2", "P3"]);
      expect(await read(kind, 4)).toEqual({ kind: "rows", rows: [] });
    });

    it("defers when nothing listens", async () => {
      const { mirror, close } = await open();
      await close();
      const outcome = await mirror.write("early-access", 1, [ROWS["early-access"]]);
      expect(outcome).toMatchObject({ kind: "deferred" });
    });
  });
}
