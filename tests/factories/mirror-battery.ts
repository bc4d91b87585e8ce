import { describe, expect, it } from "vitest";
import type { MirrorRow, SubmissionMirror } from "~/services/mirrors/submission-mirror";
import { SUBMISSION_KINDS } from "~/services/signups/typed-columns";
import type { SubmissionKind } from "~/services/signups/typed-columns";

/** Failure of the next write: deferred, too slow, or applied with the response lost. */
export type MirrorFailure = "429" | "500" | "slow" | "cut-after-apply";

export interface MirrorUnderTest {
  readonly mirror: SubmissionMirror;
  /** Returns the remote cells below the header. */
  getRows(kind: SubmissionKind): readonly MirrorRow[];
  /** Makes the next write fail in this way. */
  failNext(how: MirrorFailure): void;
  close(): Promise<void>;
}

/** Index of the column in which the remote writes its own time; -1 where it writes none. */
export type TimeColumn = (kind: SubmissionKind) => number;

const AT = "2026-11-21T08:00:00.000Z";
const ROWS: Record<SubmissionKind, MirrorRow> = {
  "early-access": ["Ada Byron", "ada@example.com", "=1+1", "developer", AT],
  "contact-form": [AT, "Grace Hopper", "grace@example.com", "support", 'Two\nlines, "quoted" \u{1F680}'],
  "updates-signup": [AT, "Zoë Ångström", "zoe@example.com"],
};

/** Tests the contract of SubmissionMirror, for each driver against a server that speaks its protocol. */
export function describeMirror(
  name: string,
  open: () => Promise<MirrorUnderTest>,
  { timeColumn = () => -1 }: { timeColumn?: TimeColumn } = {},
): void {
  const withoutTime = (kind: SubmissionKind, rows: readonly MirrorRow[]) =>
    rows.map((row) => row.map((cell, index) => (index === timeColumn(kind) ? "" : cell)));

  async function using(work: (deps: MirrorUnderTest) => Promise<void>): Promise<void> {
    const deps = await open();
    try {
      await work(deps);
    } finally {
      await deps.mirror.close();
      await deps.close();
    }
  }

  describe(name, () => {
    it.each(SUBMISSION_KINDS)("writes a row of %s cell by cell, as text", (kind) =>
      using(async ({ mirror, getRows: stands }) => {
        expect(await mirror.write(kind, 1, [ROWS[kind]])).toEqual({ kind: "written" });
        expect(withoutTime(kind, stands(kind))).toEqual(withoutTime(kind, [ROWS[kind]]));
      }),
    );

    it("keeps the order of what is written one after the other", () =>
      using(async ({ mirror, getRows: stands }) => {
        const kind = "updates-signup";
        for (let place = 1; place <= 4; place += 1) {
          await mirror.write(kind, place, [[AT, `Person ${place}`, `p${place}@example.com`]]);
        }
        expect(stands(kind).map((row) => row[1])).toEqual(["Person 1", "Person 2", "Person 3", "Person 4"]);
      }));

    it.each(["429", "500"] as const)("defers after %s, and nothing stands there", (how) =>
      using(async ({ mirror, getRows: stands, failNext: trouble }) => {
        trouble(how);
        const outcome = await mirror.write("early-access", 1, [ROWS["early-access"]]);
        expect(outcome).toMatchObject({ kind: "deferred", detail: expect.stringMatching(/^[^\n]+$/) });
        expect(stands("early-access")).toEqual([]);
      }),
    );

    it.each(["slow", "cut-after-apply"] as const)("does not know how it ended after %s, and says so", (how) =>
      using(async ({ mirror, failNext: trouble }) => {
        trouble(how);
        const outcome = await mirror.write("early-access", 1, [ROWS["early-access"]]);
        expect(outcome).toMatchObject({ kind: "unknown", detail: expect.stringMatching(/^[^\n]+$/) });
      }),
    );

    it("stands once when it is written again after an answer was lost, where that is promised", () =>
      using(async ({ mirror, getRows: stands, failNext: trouble }) => {
        if (!mirror.isRepeatable) return expect(mirror.batch).toBe(1);
        trouble("cut-after-apply");
        const rows = [ROWS["early-access"], ["Grace", "grace@example.com", "", "", AT]];
        await mirror.write("early-access", 1, rows);
        expect(await mirror.write("early-access", 1, rows)).toEqual({ kind: "written" });
        expect(stands("early-access")).toEqual(rows);
      }));

    it("reads from a place on what stands there, and nothing behind the end, where it can read", () =>
      using(async ({ mirror, getRows: stands }) => {
        const kind = "early-access";
        for (const place of [1, 2, 3])
          await mirror.write(kind, place, [[`P${place}`, "p@example.com", "", "", AT]]);
        const { read } = mirror;
        if (!read) return expect(stands(kind)).toHaveLength(3);
        const reading = await read(kind, 2);
        if (reading.kind !== "rows") throw new Error(reading.detail);
        expect(reading.rows.map(([first]) => first)).toEqual(["P2", "P3"]);
        expect(await read(kind, 4)).toEqual({ kind: "rows", rows: [] });
      }));

    it("defers when nobody listens", async () => {
      const { mirror, close } = await open();
      await close();
      expect(await mirror.write("early-access", 1, [ROWS["early-access"]])).toMatchObject({
        kind: "deferred",
      });
      await mirror.close();
    });
  });
}
