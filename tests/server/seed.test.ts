import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runNode } from "../run-node";
import { SUPERADMIN } from "../server-process";
import { temporaryFolder } from "../temporary-folder";
import { builtRoutes } from "./route-manifest";
import { execute, readRows } from "./visitors";
import { readText } from "./session";
import { useServer, useSuperadmin } from "./use-server";

const runSeed = (environment: Record<string, string>, ...more: string[]) => {
  const args = ["--import=./tests/quick-hashing.mjs", "scripts/seed.ts", ...more];
  return runNode(args, { NODE_ENV: undefined, SUPERADMIN_PASSWORD: SUPERADMIN.password, ...environment });
};

/** Nothing listens there: the seeded mirror does not proceed. */
const NOWHERE = "http://127.0.0.1:9";
const MIRROR = {
  SUBMISSION_MIRROR: "web-endpoint",
  MIRROR_EARLY_ACCESS_URL: NOWHERE,
  MIRROR_CONTACT_URL: NOWHERE,
  MIRROR_UPDATES_URL: NOWHERE,
};

const DATA_DIR = temporaryFolder();
afterAll(() => rmSync(DATA_DIR, { recursive: true, force: true }));
beforeAll(async () => {
  expect(await runSeed({ DATA_DIR })).toMatchObject({ code: 0 });
});
const server = useServer({ DATA_DIR, ...MIRROR });
const superadmin = useSuperadmin(server);

const OLDEST_EMAIL = "select id from outbox_emails order by created_at";
/** Seeded text on each screen, by its route; `with` selects the id of a screen about one row. */
const SCREENS: Record<string, { shows: string; with?: string; query?: string }> = {
  "admin.activity": { shows: "mara.lindqvist@example.com" },
  "admin.alerts": { shows: '<option value="at-once" selected="">' },
  "admin.dashboard": { shows: "A first look, for you" },
  "admin.dashboard_.funnel": { shows: "autumn fair" },
  "admin.dashboard_.sources": { shows: "autumn fair" },
  "admin.logs": { shows: "request method=GET" },
  "admin.logs.$id": { shows: "[ERROR]", with: "select max(id) as id from log_lines where level = 'ERROR'" },
  "admin.logs_.newest": { shows: "{" },
  "admin.mirrors": { shows: "Deleted here. It may still be there" },
  "admin.notifications": { shows: "We are live today" },
  "admin.notifications_.$id": {
    shows: "We are live today",
    with: "select id from broadcasts where state = 'finished'",
  },
  "admin.outbox": { shows: "A first look, for you" },
  "admin.outbox_.$id": { shows: "You are on the list", with: OLDEST_EMAIL },
  "admin.outbox_.$id.body": { shows: "You are on the list", with: OLDEST_EMAIL },
  "admin.outbox_.$id.file": { shows: "You are on the list", with: OLDEST_EMAIL },
  "admin.outreach": { shows: "What we have been building" },
  "admin.outreach.$id": { shows: "535 5.7.8", with: "select id from campaigns where hold_detail <> ''" },
  "admin.outreach.$id.mail": { shows: "the list", with: "select id from campaigns where state = 'finished'" },
  "admin.people": { shows: "@example." },
  "admin.people.$id": {
    shows: "You are on the list",
    with: "select s.id from submissions s join deliveries d on d.email_key = s.email_key where d.state = 'sent' order by d.id",
  },
  "admin.automatic": { shows: "thank-you" },
  "admin.automatic_.$rule": { shows: "@example.", with: "select 'thank-you' as id" },
  "admin.automatic_.$rule.mail": { shows: "You are on the list", with: "select 'thank-you' as id" },
  "admin.automatic_.sent.$id": {
    shows: "signed up for early access",
    with: "select id from transactional_emails where kind = 'thank-you' and state = 'sent'",
  },
  "admin.people_.import": { shows: "spring-list.csv" },
  "admin.people_.import_.$id": {
    shows: "An earlier line has the same address.",
    with: "select id from imports",
  },
  "admin.quarantine": { shows: "Best Offers" },
  "admin.resouces-monitor": { shows: "Memory 9" },
  "admin.search": { shows: "aiko.brandt@example.org", query: "q=aiko" },
  "admin.sessions": { shows: "Firefox on Linux" },
  "admin.submissions.$kind": { shows: "@example.", with: "select 'early-access' as id" },
  "admin.submissions.$kind.$id": {
    shows: "By signing up you agree",
    with: "select kind || '/' || id as id from submissions where kind = 'early-access' and state = 'accepted'",
  },
  "admin.suppressions": { shows: "press@example.org" },
  "admin.templates": { shows: "News of the month" },
  "admin.templates_.$id": {
    shows: "three things are new",
    with: "select id from campaign_templates where name = 'News of the month'",
  },
  "admin.templates_.$id.mail": {
    shows: "Read more",
    with: "select id from campaign_templates where name = 'News of the month'",
  },
  "admin.tokens": { shows: "Nightly report" },
  "admin.users": { shows: "Aiko Brandt" },
  "admin.views": { shows: "Developers on the waiting list" },
};
/** Screens without seeded data: forms, redirects and help. */
const WITHOUT_DATA = [
  "admin",
  "admin.$",
  "admin._index",
  "admin.account",
  "admin.appearance",
  "admin.password-reset",
  "admin.people_.import_.$id_.columns",
  "admin.second-factor",
  "admin.second-factor.codes",
  "admin.setup",
  "admin.shortcuts",
  "admin.submissions._index",
  "admin.suppressions_.add",
  "admin.time-zone",
  // Downloads.
  "admin.activity.export",
  "admin.logs_.export",
  "admin.notifications_.$id.export",
  "admin.outreach.$id.export",
  "admin.people.$id.export",
  "admin.people.export",
  "admin.people_.import_.$id.rest",
  "admin.submissions.$kind.export",
  "admin.suppressions.export",
  // Only with DOUBLE_OPT_IN.
  "admin.submissions.unconfirmed",
];

const routes = builtRoutes()
  .filter(({ path }) => path === "/admin" || path.startsWith("/admin/"))
  .map(({ id, path }) => ({ name: id.replace("routes/", ""), path }));

it("each screen of the back office is listed as one with or without seeded data", () => {
  expect(routes.map(({ name }) => name).sort()).toEqual([...Object.keys(SCREENS), ...WITHOUT_DATA].sort());
});

describe("after npm run seed", () => {
  it.each(routes.filter(({ name }) => name in SCREENS))("$name shows seeded data", async ({ name, path }) => {
    const screen = SCREENS[name]!;
    const [row] = screen.with ? readRows(server, screen.with) : [];
    const address =
      path.replace(/(?:\/x)+/, `/${String(row?.id)}`) + (screen.query ? `?${screen.query}` : "");
    expect(await readText(superadmin.get(address))).toContain(screen.shows);
  });

  it.each(routes.filter(({ name }) => WITHOUT_DATA.includes(name)))("$name opens", async ({ path }) => {
    expect((await superadmin.get(path)).status).toBeLessThan(405);
  });

  it("a finished campaign that missed people has one colour on all screens", async () => {
    const [row] = readRows(
      server,
      "select id, title from campaigns where state = 'finished' order by id desc limit 1",
    );
    execute(
      server,
      `update deliveries set state = 'failed' where id =
        (select id from deliveries where state = 'sent' and campaign_id = '${String(row?.id)}' limit 1)`,
    );
    const title = String(row?.title);
    for (const path of ["/admin/dashboard", "/admin/outreach", `/admin/outreach/${String(row?.id)}`]) {
      const page = await readText(superadmin.get(path));
      const places = page.split(/(?=<(?:li|tr|h1)\b)/).filter((part) => part.includes(title));
      const badges = places.flatMap((part) => part.match(/data-slot="badge" class="[^"]*">Finished/g) ?? []);
      expect(badges.length, path).toBeGreaterThan(0);
      for (const badge of badges) expect(badge, path).toMatch(/ text-warning">/);
    }
  });

  it("no confirmation email is under way", () => {
    const pending = "select id from transactional_emails where state in ('pending', 'retrying', 'claimed')";
    expect(readRows(server, pending)).toEqual([]);
  });

  it("a second seed is rejected with a message, while the server runs and after it", async () => {
    expect(await runSeed({ DATA_DIR })).toMatchObject({
      code: 1,
      output:
        "No data was created. The database is in use: first stop the server, and everything else that has it open.\n",
    });
    await server.stop();
    const again = await runSeed({ DATA_DIR });
    expect(again.code).toBe(1);
    expect(again.output).toMatch(
      /^No data was created\. There are signups, campaigns or devices here already\./,
    );
    expect((await runSeed({ DATA_DIR }, "--size", "huge")).output).toBe(
      "Usage: npm run seed [-- --size small|large]\n",
    );
  });
});
