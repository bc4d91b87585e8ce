import { days } from "~/lib/durations";
import { utcMinute } from "~/lib/utc-minute";
import { testDatabase, type dialects } from "../databases";
import { withDatabase } from "../faults/ledger";
import { watchHealth } from "../server/health-watch";
import { formPost, logIn, startServer, type ServerProcess } from "../server-process";
import { readText } from "../server/session";
import { measureMs, quantile } from "../server/visitors";
import { figure, getBenchSize, getResidentMiB, type Figure } from "./measurement";
import type { Measurement } from "./results";
import { addManyLines } from "./many-log-lines";
import { addManyDeliveries, addManySubmissions, TO_FILL } from "./many-submissions";
import { compare, repeat, toSide } from "./rounds";

const MANY = getBenchSize("BENCH_SUBMISSIONS", 1_000_000);
const FEW = 1000;
const EACH = 40;
const ROUNDS = { warmUps: 1, rounds: 4 };

const EARLY = "/admin/submissions/early-access";
const CONTACT = "/admin/submissions/contact-form";
/** Stands for the id of a submission in the middle of the table. */
const MIDDLE = "ID_IN_THE_MIDDLE";
const LAST_VISIT = Date.now() - days(2);
const CAMPAIGN_ID = "019a0000-0000-7000-8000-000000000001";
/** Pages to measure, with the milliseconds within which 95 of 100 requests must end (hardening R27). */
const PAGES = [
  {
    name: "The dashboard",
    within: 150,
    paths: ["", "?over=week", "?over=month"].map((over) => `/admin/dashboard${over}`),
  },
  {
    name: "A page of a table",
    within: 50,
    paths: [
      "",
      "?order=asc",
      "?sort=name",
      "?sort=address",
      "?sort=address&order=desc",
      "?sort=company",
      "?choice=other",
      "?choice=other&sort=name",
      "?choice=developer&sort=name",
      "?mail=unsubscribed&sort=address",
      "?mail=open&sort=name",
      "?from=2020-01-01&to=2099-01-01&sort=name",
    ].map((search) => EARLY + search),
  },
  {
    name: "A page of a table in its middle",
    within: 60,
    paths: ["", "&sort=name", "&sort=address&order=desc", "&sort=company"].flatMap((order) =>
      ["before", "after"].map((side) => `${EARLY}?${side}=${MIDDLE}${order}`),
    ),
  },
  {
    name: "What is new since the last visit in a table",
    within: 60,
    paths: ["", "&sort=name"].flatMap((order) =>
      [LAST_VISIT, Date.now() - days(200)].map((at) => `${EARLY}?since=${utcMinute(at)}${order}`),
    ),
  },
  {
    name: "A page of the inquiries",
    within: 60,
    paths: [
      "",
      "?status=open",
      "?status=answered",
      "?choice=support&status=open",
      "?status=open&sort=name",
    ].map((search) => CONTACT + search),
  },
  {
    name: "A search for the words of inquiries",
    within: 60,
    paths: [
      "?q=recordings",
      "?q=meeting+kept&status=open",
      "?q=number+1234",
      "?q=ada+recordings&sort=name",
      "?q=nobody",
    ].map((search) => CONTACT + search),
  },
  {
    name: "The list of people",
    within: 60,
    paths: [
      "",
      "?sort=name",
      "?sort=company&order=desc",
      "?form=contact-form",
      "?role=executive&sort=name",
      "?company=company+999",
      "?domain=example.com&sort=name",
      "?mail=unsubscribed",
      "?form=early-access&role=developer&confirmed=no",
      `?before=${MIDDLE}&sort=name`,
    ].map((search) => `/admin/people${search}`),
  },
  {
    name: "A search for people",
    within: 100,
    paths: [
      "a",
      "ada",
      "ada+byron",
      "bscriber99",
      "ompany+9",
      "nobody",
      "ada+grace",
      "hopper&form=contact-form",
    ].map((typed) => `/admin/people?q=${typed}`),
  },
  {
    name: "The suppression list",
    within: 60,
    paths: ["", "?prefix=subscriber1", "?sort=address"].map((search) => `/admin/suppressions${search}`),
  },
  {
    name: "The page of a campaign",
    within: 50,
    paths: ["", "?state=failed", "?state=skipped"].map((search) => `/admin/outreach/${CAMPAIGN_ID}${search}`),
  },
  {
    name: "A search",
    within: 50,
    paths: [
      "?q=ada",
      "?q=ada+byron&sort=name",
      "?q=subscriber1234",
      "?q=nobody",
      "?q=number9&choice=other",
    ].map((search) => EARLY + search),
  },
  {
    name: "The search of the whole back office",
    within: 50,
    paths: ["ada", "ada+byron", "subscriber1234", "nobody"].map((typed) => `/admin/search?q=${typed}`),
  },
  // Each of these words alone would match many rows, which would all have to be read.
  {
    name: "A search for two words, a seventh each has and nobody both",
    within: 50,
    paths: [`${EARLY}?q=ada+grace`],
  },
  {
    name: "The same search of the whole back office",
    within: 50,
    paths: ["/admin/search?q=ada+grace"],
  },
];

/** Pages whose queries look through much and find nothing. No other request may wait for them (docs/decisions/0002). */
const LONG_READS = [
  `${EARLY}?q=ada+grace`,
  `${EARLY}?q=ada+grace+number9`,
  `${EARLY}?q=ada+byron&sort=name`,
  "/admin/search?q=ada+grace+number9",
  "/admin/logs?q=nobody+wrote+this",
];
const OTHERS_WAIT_MS = 50;

/**
 * Compares pages over a million submissions, a campaign to a million and a tenth as many log lines with the
 * same pages over a thousandth of them; and measures an export of everything.
 */
export async function compareTables(dialect: (typeof dialects)[number]): Promise<Measurement[]> {
  const [many, few] = await Promise.all([start(dialect, MANY), start(dialect, FEW)]);
  const measured: Measurement[] = [];
  for (const { name, within, paths } of PAGES) {
    const times: number[] = [];
    const side = ({ server, cookie, middle }: Started, size: number, sideTimes: number[]) =>
      toSide(`of ${size.toLocaleString("en")}`, server, () =>
        repeat(EACH, async (index) => {
          sideTimes.push(
            await measureTime(server, cookie, (paths[index % paths.length] ?? "").replace(MIDDLE, middle)),
          );
        }),
      );
    const ofMany = `${name} of ${MANY.toLocaleString("en")} on ${dialect}`;
    const what = `${ofMany}, a second: one client`;
    measured.push(await compare(what, side(many, MANY, times), side(few, FEW, []), ROUNDS));
    const p95 = quantile(times.slice(EACH * ROUNDS.warmUps), 0.95);
    measured.push(figure(`${ofMany}, 95 of 100 within`, p95, "ms", within));
  }
  measured.push(await measureOthers(many, dialect));
  // Twice: a new process allocates memory for garbage before its first collection.
  for (const order of ["first", "second"])
    measured.push(...(await measureExport(many, `${order} export on ${dialect}`)));
  await Promise.all([many, few].map(({ remove }) => remove()));
  return measured;
}

type Started = Awaited<ReturnType<typeof start>>;

async function start(dialect: (typeof dialects)[number], size: number) {
  const database = await testDatabase(dialect);
  await withDatabase(
    database,
    async (opened) => {
      await addManySubmissions(opened, { count: size });
      await addManyDeliveries(opened, { campaignId: CAMPAIGN_ID, count: size });
      // More lines than the search of the back office reads.
      await addManyLines(opened, size / 10, Date.now());
    },
    TO_FILL,
  );
  const server = await startServer(database.environment);
  const cookie = await logIn(server);
  await readText(server.fetch(EARLY, { headers: { Cookie: cookie } }));
  // The operator's visit before this one.
  const middle = await withDatabase(database, async (opened) => {
    await opened.write((trx) => trx.updateTable("visits").set({ new_since: LAST_VISIT }).execute());
    const ids = opened.read.selectFrom("submissions").select("id").where("kind", "=", "early-access");
    return ids
      .orderBy("id")
      .offset(Math.floor(size / 5))
      .limit(1)
      .executeTakeFirstOrThrow();
  });
  const remove = async () => {
    await server.remove();
    await database.remove();
  };
  return { server, cookie, middle: middle.id, remove };
}

const measureTime = (server: ServerProcess, cookie: string, path: string) =>
  measureMs(() => readText(server.fetch(path, { headers: { Cookie: cookie } })));

/** Measures how long GET /healthz waits at most while long reads run. */
async function measureOthers({ server, cookie }: Started, dialect: string): Promise<Figure> {
  const stop = await watchHealth(server.port);
  for (const path of [...LONG_READS, ...LONG_READS]) await measureTime(server, cookie, path);
  const times = await stop();
  const what = `GET /healthz beside long reads of ${MANY.toLocaleString("en")} on ${dialect}, longest`;
  return figure(what, Math.max(...times), "ms", OTHERS_WAIT_MS);
}

/** Measures the export of one form, and the highest rise of the server's memory meanwhile. */
async function measureExport({ server, cookie }: Started, order: string): Promise<Figure[]> {
  const before = getResidentMiB(server.pid);
  const began = performance.now();
  const response = await server.fetch(`${EARLY}/export`, formPost({}, { Cookie: cookie }));
  let [bytes, most] = [0, before];
  const reader = response.body?.getReader();
  for (;;) {
    const chunk = await reader?.read();
    if (!chunk?.value) break;
    bytes += chunk.value.length;
    most = Math.max(most, getResidentMiB(server.pid));
  }
  const mebibytes = (bytes / 2 ** 20).toFixed(1);
  return [
    figure(`The ${order}, of ${mebibytes} MiB`, (performance.now() - began) / 1000, "s"),
    figure(`Memory the server takes meanwhile, ${order}`, most - before, "MiB"),
  ];
}
