import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import type { Tables } from "~/db/tables";
import { hours, minutes } from "~/lib/durations";
import { createAudit, VISITOR_REFUSAL_LIMIT } from "~/services/audit/audit.server";
import { consumePasswordAttempt } from "~/services/accounts/passwords.server";
import { newId } from "~/services/service-deps";
import { sweepQuarantine } from "~/services/signups/quarantine.server";
import { origin } from "../factories/accounts";
import { createTestQuarantine } from "../factories/quarantine";
import { expectCountsToAgree } from "../factories/submissions";
import { createTestClock } from "../factories/time";
import { describeOnDatabases } from "./use-database";
import { sweepAttempts } from "~/services/attempts/attempts.server";
import { sweepFingerprints } from "~/services/signups/signups.server";
import { sql } from "kysely";
import { chooseSize } from "../sizes";
import { inPieces } from "../factories/pieces";

const ROWS = chooseSize({ daily: 50_000, full: 2_000_000 });
/** `npm test` runs other tests at the same time. */
const P99_MS = chooseSize({ daily: 1000, full: 50 });
const PROBE_EVERY_MS = 5;

const SWEEPS = [
  ["attempts", sql`insert into attempts (key, count, resets_at) select 'k' || n, 1, n`, sweepAttempts],
  [
    "submission_fingerprints",
    sql`insert into submission_fingerprints (fingerprint, submission_id, seen_at) select 'f' || n, 's', n`,
    sweepFingerprints,
  ],
] as const;

/** Returns whether somebody without an account, a token or a secret can add rows to a table (docs/operations.md). */
const CAN_STRANGERS_GROW: Record<keyof Tables, boolean> = {
  attempts: true,
  audit: true,
  confirmations: true,
  consents: true,
  devices: true,
  inquiry_documents: true,
  landing_visits: true,
  log_hours: true,
  log_lines: true,
  mirror_rows: true,
  outbox_emails: true,
  people: true,
  submission_documents: true,
  people_documents: true,
  submission_days: true,
  submission_fingerprints: true,
  submission_sources: true,
  funnel_counts: true,
  submissions: true,
  suppressions: true,
  transactional_emails: true,

  // Made by operators, and by what they started.
  accounts: false,
  alert_choices: false,
  // One for each account and page.
  alerts: false,
  api_tokens: false,
  automatic_rules: false,
  automatic_texts: false,
  broadcasts: false,
  // 50 for each account and list.
  saved_views: false,
  deletions: false,
  deliveries: false,
  people_fill: false,
  person_corrections: false,
  person_notes: false,
  delivery_counts: false,
  idempotency_keys: false,
  import_lines: false,
  imports: false,
  invitations: false,
  email_changes: false,
  platform_broadcasts: false,
  pushes: false,
  recovery_codes: false,
  second_factors: false,
  campaigns: false,
  campaign_people: false,
  campaign_templates: false,
  campaign_template_defaults: false,
  sessions: false,
  visits: false,
  tenants: false,
  // One for each person, by waves and by the application's token.
  wave_invitations: false,
  wave_plans: false,
  // Needs the provider's secret.
  bounces: false,
  // As many as there are forms, days, instances or keys.
  log_state: false,
  email_days: false,
  instances: false,
  mirror_sheets: false,
  resource_incidents: false,
  resource_samples: false,
  secrets: false,
  setup_records: false,
  submission_counts: false,
};

describeOnDatabases("tables that strangers can make grow, on %s,", ({ database }) => {
  // R36
  it("are listed, and documented with their limits", async () => {
    const found = (await database.read.introspection.getTables()).map(({ name }) => name);
    // FTS5's indexes of documents, and the tables they are kept in, grow with these.
    const tables = found.filter((name) => !/^(search|submission|people)_index/.test(name));
    expect(tables.sort()).toEqual(Object.keys(CAN_STRANGERS_GROW).sort());
    const [, section = ""] = readFileSync("docs/operations.md", "utf8").split(
      "## What limits table growth\n",
    );
    const named = section.split("\n## ")[0]?.match(/`[a-z_]+`/g) ?? [];
    const growing = Object.entries(CAN_STRANGERS_GROW).flatMap(([name, can]) => (can ? [`\`${name}\``] : []));
    expect(named).toEqual(expect.arrayContaining(growing));
  });

  // Writes are not measured: on a busy disk one in a hundred takes 40 to 60 ms by itself.
  // R36
  it.each(SWEEPS)(
    `do not delay other queries while ${ROWS} rows of %s are swept`,
    async (table, fill, sweep) => {
      // Both databases accept the common table expression before the insert.
      await inPieces(database, [1, ROWS], (numbers) => sql`with recursive ${numbers} ${fill} from numbers`);
      let isOver = false;
      const sweeping = sweep(database, Date.now).finally(() => (isOver = true));
      const waits: number[] = [];
      while (!isOver) {
        const due = performance.now() + PROBE_EVERY_MS;
        await pause(PROBE_EVERY_MS);
        await database.read.selectFrom("secrets").select("name").execute();
        waits.push(performance.now() - due);
      }
      await sweeping;
      const { rows } = await sql`select 1 from ${sql.table(table)} limit 2`.execute(database.read);
      expect(rows).toEqual([]);
      const p99 = waits.toSorted((a, b) => a - b)[Math.ceil(waits.length * 0.99) - 1] ?? Infinity;
      expect(p99).toBeLessThan(P99_MS);
    },
    chooseSize({ daily: 120_000, full: 900_000 }),
  );

  // R36
  it("a refused network adds no counters, whatever addresses it sends", async () => {
    const clock = createTestClock();
    for (let n = 0; n < 120; n += 1) {
      const email = `made-up-${n}@example.com`;
      await consumePasswordAttempt({ database, clock, newId }, { email, actor: "visitor" }, origin);
    }
    const rows = database.read.selectFrom("attempts").select("key").where("key", "like", "login:%");
    expect(await rows.execute()).toHaveLength(51);
  });

  // R36
  it("visitors' refusals are limited to some audit entries an hour, operators' are not", async () => {
    const clock = createTestClock();
    const audit = createAudit({ clock, newId });
    const entry = { action: "login", subject: "x", outcome: "refused" } as const;
    const record = (by: string) =>
      database.write((trx) => audit(trx, { by, network: "", requestId: "" }, entry));
    const count = async () => (await database.read.selectFrom("audit").select("id").execute()).length;
    for (let n = 0; n < VISITOR_REFUSAL_LIMIT.allowed + 20; n += 1) await record("visitor");
    expect(await count()).toBe(VISITOR_REFUSAL_LIMIT.allowed);
    await record("ada@example.com");
    expect(await count()).toBe(VISITOR_REFUSAL_LIMIT.allowed + 1);
    clock.forward(hours(1));
    await record("visitor");
    expect(await count()).toBe(VISITOR_REFUSAL_LIMIT.allowed + 2);
  });

  // R36
  it("the oldest submissions of a full quarantine are removed, and the count agrees", async () => {
    const { bot, person, clock } = createTestQuarantine(database);
    const accepted = await person("ada@example.com");
    const waiting: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      clock.forward(minutes(2));
      waiting.push(await bot(`bot-${n}@example.com`));
    }
    await sweepQuarantine(database, 3);
    const rows = await database.read.selectFrom("submissions").select("id").orderBy("id").execute();
    expect(rows.map(({ id }) => id).sort()).toEqual([accepted, ...waiting.slice(2)].sort());
    const counts = database.read.selectFrom("submission_counts").select("count");
    expect(await counts.where("state", "=", "quarantined").where("count", ">", 0).execute()).toEqual([
      { count: 3 },
    ]);
    await expectCountsToAgree(database);
  });
});
