import { sql } from "kysely";
import { days } from "~/lib/durations";
import { createAudiences, type Audience } from "~/services/audiences/audiences.server";
import { testDatabase, type dialects, type TestDatabase } from "../databases";
import { withDatabase } from "../faults/ledger";
import { prepareCampaign } from "../faults/operator";
import { logIn, startServer } from "../server-process";
import { readText } from "../server/session";
import { measureMs, quantile } from "../server/visitors";
import { figure, getBenchSize, getMedian } from "./measurement";
import { addManyDeliveries, addManySubmissions, analyzeTables, TO_FILL } from "./many-submissions";
import type { Measurement } from "./results";

const MANY = getBenchSize("BENCH_SUBMISSIONS", 1_000_000);
const TIMES = 5;
const WAVE = 200;
/** A campaign to whoever signed up first, three tenths of all, and one to everybody. */
const TO_OLDEST = "01990000-0000-7000-8000-000000000001";
const TO_ALL = "01991000-0000-7000-8000-000000000001";

type Narrowing = Omit<Audience["narrowing"], "order">;

/** What is counted, and within how many milliseconds: whatever an index finds sooner than the rest. */
const COUNTS: readonly { name: string; within: number; narrowing: Narrowing; wave?: "" }[] = [
  { name: "People of a role", within: 300, narrowing: { role: "other" } },
  { name: "People of a domain", within: 300, narrowing: { domain: "c17.example" } },
  { name: "People of a source", within: 300, narrowing: { source: "newsletter" } },
  { name: "Confirmed people", within: 300, narrowing: { confirmed: "yes" } },
  { name: "Joined people", within: 300, narrowing: { invitation: "joined" } },
  { name: "Invited people", within: 300, narrowing: { invitation: "invited" } },
  {
    name: "People of a role and a domain",
    within: 300,
    narrowing: { role: "developer", domain: "c17.example" },
  },
  { name: "Waiting people", within: 1000, narrowing: { invitation: "waiting" } },
  { name: "People of a wave", within: 1000, narrowing: {}, wave: "" },
  { name: "People of a part of a company", within: 1000, narrowing: { company: "pany 99" } },
  {
    name: "Whoever got a campaign to the oldest 30 %",
    within: 1000,
    narrowing: { campaign: { id: TO_OLDEST, got: "any" } },
  },
  {
    name: "Whose email of that campaign failed",
    within: 1000,
    narrowing: { campaign: { id: TO_OLDEST, got: "failed" } },
  },
  {
    name: "Whoever did not get that campaign",
    within: 1000,
    narrowing: { campaign: { id: TO_OLDEST, got: "none" } },
  },
  {
    name: "Whoever got a campaign to all",
    within: 1000,
    narrowing: { campaign: { id: TO_ALL, got: "any" } },
  },
  {
    name: "Whoever did not get a campaign to all",
    within: 1000,
    narrowing: { campaign: { id: TO_ALL, got: "none" } },
  },
  { name: "Three people of each domain", within: 1000, narrowing: { perDomain: 3 } },
];

/** Pages of the list by campaign, each with a figure of its own. */
const RECIPIENTS = {
  "who got a campaign to the oldest 30 %": `campaign=${TO_OLDEST}&got=any`,
  "who did not get it": `campaign=${TO_OLDEST}&got=none`,
  "who got a campaign to all": `campaign=${TO_ALL}&got=any`,
};

const PAGES = [
  "role=developer&invitation=waiting",
  "domain=c17.example&role=manager",
  "invitation=joined&role=other",
  "invitation=joined&source=newsletter",
];

/** Measures counts, lists and the confirmation of a wave at a million people, of whom a fifth are invited. */
export async function measureAudiences(dialect: (typeof dialects)[number]): Promise<Measurement[]> {
  const database = await testDatabase(dialect);
  await fill(database);
  const measured = [...(await measureCounts(database, dialect)), ...(await measurePages(database, dialect))];
  await database.remove();
  return measured;
}

/** Tells people apart by the place of each in the list. */
const place = sql`(first_signup_at / ${sql.lit(Math.floor(days(400) / MANY))})`;

/** A third of the people have a domain among 7,000, the others one; a tenth came from a newsletter, a fifth are confirmed. */
function fill(database: TestDatabase): Promise<void> {
  return withDatabase(
    database,
    async (opened) => {
      await addManySubmissions(opened, { count: MANY, only: "early-access" });
      await opened.write(async (trx) => {
        await sql`update people set
          email_domain = case when ${place} % 3 = 0 then 'c' || ${place} % 7000 || '.example' else email_domain end,
          source = case when ${place} % 10 = 0 then 'newsletter' else 'direct' end,
          confirmed_at = case when ${place} % 5 = 0 then first_signup_at + 60000 else null end`.execute(trx);
        await sql`insert into wave_invitations (id, person_id, campaign_id, issue, state, reserved_at, invited_at, joined_at, joined_email)
          select id, id, id, 1, case when ${place} % 4 = 0 then 'joined' else 'invited' end, 1, 1,
            case when ${place} % 4 = 0 then 2 else null end, ''
          from (select id, first_signup_at from people order by id limit ${MANY / 5}) as oldest`.execute(trx);
      });
      await addManyDeliveries(opened, { campaignId: TO_OLDEST, count: Math.floor(MANY * 0.3) });
      await addManyDeliveries(opened, { campaignId: TO_ALL, count: MANY });
      await analyzeTables(opened);
    },
    TO_FILL,
  );
}

async function measureCounts(database: TestDatabase, dialect: string): Promise<Measurement[]> {
  return withDatabase(database, async (opened) => {
    const audiences = createAudiences({ database: opened });
    const measured: Measurement[] = [];
    for (const { name, within, narrowing, wave } of COUNTS) {
      const audience = { kind: "early-access", narrowing: { ...narrowing, order: "oldest" }, wave } as const;
      const times: number[] = [];
      for (let time = 0; time < TIMES; time += 1)
        times.push(await measureMs(() => audiences.count(audience)));
      const what = `${name} counted among ${MANY.toLocaleString("en")} on ${dialect}`;
      measured.push(figure(what, getMedian(times), "ms", within));
    }
    return measured;
  });
}

async function measurePages(database: TestDatabase, dialect: string): Promise<Measurement[]> {
  const server = await startServer({
    ...database.environment,
    MAIL_DRIVER: "outbox",
    INVITE_URL: "https://app.example.com/join?code={code}",
  });
  const cookie = await logIn(server);
  const times: number[] = [];
  for (let round = 0; round <= TIMES * 4; round += 1) {
    for (const search of PAGES) {
      const load = () => readText(server.fetch(`/admin/people?${search}`, { headers: { Cookie: cookie } }));
      const time = await measureMs(load);
      if (round > 0) times.push(time);
    }
  }
  const among = `among ${MANY.toLocaleString("en")} people on ${dialect}`;
  const recipients: Measurement[] = [];
  for (const [who, search] of Object.entries(RECIPIENTS)) {
    const load = () => readText(server.fetch(`/admin/people?${search}`, { headers: { Cookie: cookie } }));
    const ofEach: number[] = [];
    for (let time = 0; time < TIMES; time += 1) ofEach.push(await measureMs(load));
    recipients.push(figure(`A page of ${who} ${among}`, getMedian(ofEach), "ms"));
  }
  const waves: number[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    const confirm = await prepareCampaign(server, cookie, {
      title: `Wave ${time}`,
      message: "Come in: {{invite_link}}",
      limit: String(WAVE),
    });
    waves.push(await measureMs(confirm));
  }
  await server.remove();
  return [
    ...recipients,
    figure(`A page with two filters ${among}, 95 of 100 within`, quantile(times, 0.95), "ms", 100),
    figure(`A wave of ${WAVE} confirmed ${among}`, getMedian(waves), "ms", 2000),
  ];
}
