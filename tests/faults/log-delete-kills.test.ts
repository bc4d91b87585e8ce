import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { appendLines, listLogLines, withLogStore } from "../factories/logs";
import { removeAfterTest } from "../fixture";
import { formPost, logIn, startServer } from "../server-process";
import { between, SEED, createRandom } from "../seeded-random";
import { readRows } from "../server/visitors";
import { listFaults } from "./ledger";

const KILLS = 100;
const LINES = 2000;
const formatOldLine = (n: number) => `2026-11-21T08:00:00.000Z [NOTICE] old ${n}`;
const OLD = Array.from({ length: LINES }, (_, n) => formatOldLine(n));

// R5
it(`kill -9 leaves all old lines or none (seed ${SEED})`, async () => {
  const random = createRandom(SEED);
  const server = removeAfterTest(await startServer({ LOG_LEVEL: "error" }));
  let deleted = 0;
  const headers = { Cookie: await logIn(server) };
  // Duration of a deletion on this machine, so that about half of the kills come too late.
  const began = performance.now();
  await server.fetch("/admin/logs?step=delete", formPost({ intent: "delete" }, headers));
  const deletionMs = Math.ceil(performance.now() - began);
  deleted += 1;
  for (let kill = 0; kill < KILLS; kill += 1) {
    await withLogStore(server.dataDir, async (store) => {
      await store.deleteAll(async () => undefined);
      await appendLines(store, OLD);
    });
    const deletion = server.fetch("/admin/logs?step=delete", formPost({ intent: "delete" }, headers)).then(
      ({ status }) => status,
      () => 0,
    );
    const appended = withLogStore(server.dataDir, (store) =>
      appendLines(store, ["2026-11-21T08:00:01.000Z [NOTICE] new"]),
    );
    await pause(between(random, 0, deletionMs * 2));
    await server.kill();
    const status = await deletion;
    await appended;
    // Read through the restarted product: the database recovers committed writes when the next process opens it.
    await server.restart();

    const lines = await listLogLines(server.dataDir);
    const old = lines.filter((line) => line.includes("old")).length;
    const outcomes = readRows(
      server,
      "select outcome from audit where action = 'delete-logs' order by id",
    ).map((row) => row.outcome);
    expect([0, LINES]).toContain(old);
    if (status === 303) expect(old).toBe(0);
    if (old === 0) deleted += 1;
    expect(outcomes.filter((outcome) => outcome === "ok")).toHaveLength(deleted);
    if (old === 0) expect(outcomes.at(-1)).toBe("ok");
    await expectCountsToAgree(server.dataDir, lines.length);
  }
  expect(listFaults(server.output())).toEqual([]);
  console.info(`${KILLS} kills, ${deleted - 1} of them after the deletion`);
});

async function expectCountsToAgree(dataDir: string, lines: number): Promise<void> {
  const counts = await withLogStore(dataDir, (store) => store.counts({}));
  expect(counts.reduce((sum, count) => sum + count.lines, 0)).toBe(lines);
}
