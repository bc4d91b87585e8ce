import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import type { Database } from "~/db/database.server";
import { days, hours } from "~/lib/durations";
import { DatabaseLogStore } from "~/services/logs/drivers/database-log-store.server";
import type { LogFilter } from "~/services/logs/log-store";
import { createLogs } from "~/services/logs/logs.server";
import { newId } from "~/services/service-deps";
import { testDatabase, type dialects } from "../databases";
import { withDatabase } from "../faults/ledger";
import { logIn, startServer } from "../server-process";
import { readText } from "../server/session";
import { measureMs, quantile } from "../server/visitors";
import { figure, getBenchSize, getResidentMiB, type Figure } from "./measurement";
import { addManyLines } from "./many-log-lines";
import { TO_FILL } from "./many-submissions";

const LINES = getBenchSize("BENCH_LOG_LINES", 10_000_000);
const [FIRST_PAGE_MS, SEARCH_MS, MEMORY_MIB, DELETION_MS] = [150, 300, 64, 1000];
const OPERATOR = { by: "bench@example.com", network: "127.0.0.0", requestId: "" };

/**
 * Measures the log at its largest (R26), on one database: a gigabyte, which is ten million lines, or
 * BENCH_LOG_LINES. Each query runs 20 times; then comes the deletion, with the event loop watched until
 * everything is swept.
 */
export async function measureLogs(dialect: (typeof dialects)[number]): Promise<Figure[]> {
  const place = await testDatabase(dialect);
  const database = await place.open();
  const on = `of ${LINES.toLocaleString("en")} log lines on ${dialect}`;
  const figures: Figure[] = [];
  const measure = async (what: string, ask: () => Promise<unknown>, atMost?: number) =>
    void figures.push(...(await measureQuery(`${what} ${on}`, ask, atMost)));
  try {
    const store = new DatabaseLogStore(database);
    const clock = Date.now;
    const logs = createLogs({ database, store, clock, newId, keep: { days: 30, megabytes: 100_000 } });
    await withDatabase(place, (opened) => addManyLines(opened, LINES, clock()), TO_FILL);
    await measure("500 lines stored beside those", createAppend(store));
    const before = process.memoryUsage.rss();
    const today = { from: clock() - days(1), until: clock() };
    const middle = { from: clock() - days(15), until: clock() - days(15) + hours(1) };
    const page = (filter: LogFilter) => () => logs.page(filter, { limit: 100 });
    const overview = async () => {
      const counts = await logs.counts({});
      const groups = counts.map(({ level }) => logs.page({ level }, { limit: 25 }));
      await Promise.all([...groups, logs.hours(today)]);
    };
    await measure("The first page", overview, FIRST_PAGE_MS);
    await measure("A level", page({ level: "ERROR" }));
    await measure("A day long ago", page(middle));
    await measure("A level on a day", page({ ...middle, level: "WARN" }));
    await measure("A common word", page({ search: "request" }));
    await measure("A rare word", page({ search: "line-number-5," }));
    await measure("A rare word among the warnings", page({ search: "line-number-5,", level: "WARN" }));
    await measure("A rare word among the infos", page({ search: "line-number-5,", level: "INFO" }));
    await measure("The surroundings of a line", () => logs.around(Math.ceil(LINES / 2), 25));
    figures.push(...(await measurePages(place.environment, on)));
    const more = (process.memoryUsage.rss() - before) / 1_048_576;
    figures.push(figure(`Memory for all these pages ${on}`, more, "MiB", MEMORY_MIB));

    const deletion = await measureMs(() => logs.deleteAll(OPERATOR));
    figures.push(figure(`The deletion ${on}`, deletion, "ms", DELETION_MS));
    figures.push(...(await measureSweeping(database, logs, on)));
    return figures;
  } finally {
    await database.close();
    await place.remove();
  }
}

/** Measures a query: the time within which 95 of 100 are answered, and the longest block of the event loop. */
async function measureQuery(what: string, ask: () => Promise<unknown>, atMost?: number): Promise<Figure[]> {
  const times: number[] = [];
  const watch = watchLoop();
  for (let round = 0; round < 20; round += 1) {
    times.push(await measureMs(ask));
  }
  return [
    figure(`${what}, 95 of 100 within`, quantile(times, 0.95), "ms", atMost),
    figure(`${what}, longest event loop block`, watch.stop(), "ms"),
  ];
}

/** Measures the pages as an operator gets them: from the server, over HTTP, with everything on the page. */
async function measurePages(environment: Record<string, string>, on: string): Promise<Figure[]> {
  const server = await startServer(environment);
  try {
    const headers = { Cookie: await logIn(server) };
    const openPage = (path: string) => readText(server.fetch(path, { headers }));
    // A new process is slow at everything.
    for (let warmUp = 0; warmUp < 10; warmUp += 1) await openPage("/admin/logs");
    const before = getResidentMiB(server.pid);
    const figures: Figure[] = [];
    for (const search of ["", "?level=ERROR", "?q=line-number-5,"]) {
      const path = `/admin/logs${search}`;
      const atMost = search ? SEARCH_MS : FIRST_PAGE_MS;
      const [measured] = await measureQuery(`GET ${path} ${on}`, () => openPage(path), atMost);
      if (measured) figures.push(measured);
    }
    return [
      ...figures,
      figure(
        `Memory the server takes for these ${on}`,
        getResidentMiB(server.pid) - before,
        "MiB",
        MEMORY_MIB,
      ),
    ];
  } finally {
    await server.remove();
  }
}

function createAppend(store: DatabaseLogStore): () => Promise<unknown> {
  const at = Date.now();
  const lines = Array.from({ length: 500 }, (_, n) => ({
    at,
    level: "INFO",
    line: `${new Date(at).toISOString()} [INFO] request id=${newId()} n=${n}`,
  }));
  return () => store.append(lines);
}

/** Measures the deletion while requests go on writing. */
async function measureSweeping(
  database: Database,
  logs: ReturnType<typeof createLogs>,
  on: string,
): Promise<Figure[]> {
  const watch = watchLoop();
  const began = performance.now();
  let isOver = false;
  const sweeping = logs.sweep().finally(() => (isOver = true));
  const writes: number[] = [];
  while (!isOver) {
    writes.push(await measureMs(() => database.probe()));
    await pause(20);
  }
  await sweeping;
  return [
    figure(`The sweep ${on}`, (performance.now() - began) / 1000, "s"),
    figure(`The sweep ${on}, longest event loop block`, watch.stop(), "ms"),
    figure(`Writes during the sweep ${on}, 99 of 100 within`, quantile(writes, 0.99), "ms"),
  ];
}

/** Watches the event loop for its longest block. */
function watchLoop() {
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last - 1);
    last = now;
  }, 1);
  return {
    stop() {
      clearInterval(timer);
      return Math.max(longest, performance.now() - last);
    },
  };
}
