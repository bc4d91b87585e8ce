import { setTimeout as pause } from "node:timers/promises";
import { testDatabase, type dialects, type TestDatabase } from "../databases";
import { getSampleValue, METRICS, scrape } from "../exposition";
import { withDatabase } from "../faults/ledger";
import { prepareCampaign, pageText, progressPage } from "../faults/operator";
import { logIn, startServer, type ServerProcess } from "../server-process";
import { measureMs, quantile } from "../server/visitors";
import { figure, getBenchSize, getResidentMiB, type Figure } from "./measurement";
import { startHelper } from "./helper-process";
import { addManySubmissions, TO_FILL } from "./many-submissions";
import type { awaitEmails } from "./smtp-sink";

const RECIPIENTS = getBenchSize("BENCH_RECIPIENTS", 1_000_000);
/**
 * Number of deliveries during which memory is watched, more than a tenth of the recipients: the later ones repeat
 * the same work.
 */
const WATCHED = getBenchSize("BENCH_WATCHED", 150_000);
const STEPS = 20;
const CONNECTIONS = 10;
/** Limit of growth that shows a leak: 100 bytes left by each email of a quarter are 3.6 MiB. */
const FLAT_MIB = 4;
/** Limit of the process's memory at the last watched email, over its memory at a tenth of the recipients. */
const FLAT_RATIO = 1.1;

/**
 * Measures a campaign to a million: its start, the delay of other requests, and its memory. It is compared with
 * nothing.
 */
export async function watchMillion(dialect: (typeof dialects)[number]): Promise<Figure[]> {
  const database = await testDatabase(dialect);
  const population = { count: RECIPIENTS, only: "early-access" } as const;
  await withDatabase(database, (opened) => addManySubmissions(opened, population), TO_FILL);
  const figures = await watchCampaign(database);
  await database.remove();
  return figures;
}

async function watchCampaign(database: TestDatabase): Promise<Figure[]> {
  const sink = startHelper<typeof awaitEmails>("./smtp-sink.ts");
  const { url } = await sink.call(0);
  const server = await startServer({
    ...database.environment,
    MAIL_DRIVER: "smtp",
    SMTP_URL: url,
    MAIL_CONCURRENCY: String(CONNECTIONS),
    ...METRICS,
  });
  const cookie = await logIn(server);
  const startedAt = performance.now();
  const confirm = await prepareCampaign(server, cookie);
  const prepared = performance.now() - startedAt;
  // Repeats the same requests, so that one-time allocations are done.
  const before = getResidentMiB(server.pid);

  const first = sink.call(1);
  const run = { isOver: false };
  const clicked = Date.now();
  const campaignId = confirm();
  const health = measureWaits(server, run, "/healthz", cookie);
  const [id, { at }] = await Promise.all([campaignId, first]);
  const pages = measureWaits(server, run, progressPage(id), cookie);
  const heap = watchHeap(server, run);
  const rises: number[] = [];
  const quarters: number[] = [];
  let copied = NaN;
  let atTenth = NaN;
  for (let step = 1; step <= STEPS; step += 1) {
    const sent = Math.ceil((WATCHED * step) / STEPS);
    await sink.call(sent);
    rises.push(getResidentMiB(server.pid) - before);
    if (Number.isNaN(atTenth) && sent >= RECIPIENTS / 10) atTenth = getResidentMiB(server.pid);
    if (step % (STEPS / 4) === 0) quarters.push(heap.takeMinimum());
    const isCopied =
      Number.isNaN(copied) && !(await pageText(server, cookie, progressPage(id))).includes("so far");
    if (isCopied) copied = Date.now() - clicked;
  }
  const took = (Date.now() - at) / 1000;
  const atLast = getResidentMiB(server.pid);
  run.isOver = true;
  const on = `a campaign to ${RECIPIENTS.toLocaleString("en")} on ${database.dialect}`;
  const rate = Math.round(WATCHED / took);
  const [, , third = NaN, last = NaN] = quarters;
  const figures = [
    figure(`Both clicks to the question of ${on}`, prepared, "ms"),
    figure(`The confirm click to the first email of ${on}`, at - clicked, "ms"),
    figure(`The confirm click to the whole list of ${on}`, copied / 1000, "s"),
    figure(`${WATCHED.toLocaleString("en")} emails of ${on}, ${rate} a second`, took, "s"),
    figure(`/healthz during ${on}, 95 of 100 within`, await health, "ms"),
    figure(`Its progress during ${on}, 95 of 100 within`, await pages, "ms"),
    figure(`Memory over before the click, at most, during ${on}`, Math.max(...rises), "MiB"),
    figure(`Memory at a tenth of ${on}`, atTenth, "MiB"),
    figure(`Memory at the last of these emails of ${on}`, atLast, "MiB", Math.floor(FLAT_RATIO * atTenth)),
    figure(`The heap in use when just collected, in the third quarter of ${on}`, third, "MiB"),
    figure(`What the last quarter of ${on} adds to it`, Math.max(0, last - third), "MiB", FLAT_MIB),
  ];
  await heap.ended;
  await server.kill();
  await Promise.all([server.remove(), sink.stop()]);
  return figures;
}

/**
 * Samples the heap's old generation ten times a second; the minimum is its size just after a collection. Other
 * memory of the process depends on the time since the last collection.
 */
function watchHeap(server: ServerProcess, run: { isOver: boolean }) {
  let least = Infinity;
  const watch = async () => {
    for (; !run.isOver; await pause(100)) least = Math.min(least, await oldHeapMiB(server));
  };
  return {
    ended: watch(),
    takeMinimum: () => {
      const before = least;
      least = Infinity;
      return before;
    },
  };
}

async function oldHeapMiB(server: ServerProcess): Promise<number> {
  const metrics = await scrape(server);
  const bytes = getSampleValue(metrics, "nodejs_heap_space_size_used_bytes", { space: "old" });
  return (bytes ?? NaN) / 2 ** 20;
}

/** Requests a page repeatedly. @returns the milliseconds within which 95 of 100 were answered. */
async function measureWaits(
  server: ServerProcess,
  run: { isOver: boolean },
  path: string,
  cookie: string,
): Promise<number> {
  const headers = { Cookie: cookie };
  const times: number[] = [];
  while (!run.isOver) {
    times.push(await measureMs(async () => (await server.fetch(path, { headers })).arrayBuffer()));
    await pause(20);
  }
  return quantile(times, 0.95);
}
