import { sql, type RawBuilder } from "kysely";
import type { Database } from "~/db/database.server";
import { days } from "~/lib/durations";
import { PARTS_FOLLOW } from "~/lib/search-words";
import { KIND_WORDS } from "~/services/search/search-index.server";
import { inPieces } from "../factories/pieces";

/** Options for opening a database to fill it: the statements take longer than any of the product. */
export const TO_FILL = { statementTimeoutMs: 0 };

/**
 * Adds `count` submissions of the last 400 days, a hundredth of them unsubscribed, written by the database
 * itself. Derived rows are built as the migrations build them.
 *
 * @param population `only` one form; by default two fifths are early access, two fifths updates and a fifth inquiries.
 */
export async function addManySubmissions(
  database: Database,
  { count, only }: { readonly count: number; readonly only?: "early-access" },
): Promise<void> {
  const { dialect } = database;
  const now = Date.now();
  const kind = only
    ? sql.lit(only)
    : sql`case n % 5 when 0 then 'contact-form' when 1 then 'updates-signup' when 2 then 'updates-signup' else 'early-access' end`;
  await inPieces(database, [0, count - 1], (numbers) => {
    return sql`
      insert into submissions (id, kind, state, quarantine_reason, name, email, email_key, company, role, inquiry_type,
        message, created_at)
      with recursive ${numbers},
      people as (
        select n, ${sql.lit(now)} - cast(${sql.lit(count)} - n as bigint) * ${sql.lit(Math.floor(days(400) / count))} as at, ${kind} as kind,
          case n % 7 when 0 then 'Ada' when 1 then 'Grace' when 2 then 'Katherine' when 3 then 'Dorothy' when 4 then 'Radia' when 5 then 'Barbara' else 'Hedy' end
          || ' ' || case n % 11 when 0 then 'Byron' when 1 then 'Hopper' when 2 then 'Johnson' when 3 then 'Vaughan' else 'Number' || n end as name,
          'subscriber' || n || '@example.com' as email
        from numbers
      )
      select substr(hex, 1, 8) || '-' || substr(hex, 9, 4) || '-7000-8000-' || ${hex12(dialect, sql`n`)}, kind, 'accepted', '',
        name, email, email, case when n % 3 = 0 then 'Company ' || (n % 1000) else '' end,
        case when kind = 'early-access' then case n % 50 when 3 then '' when 4 then 'other' when 8 then 'executive' when 9 then 'executive' else case n % 2 when 0 then 'manager' else 'developer' end end else '' end,
        case when kind = 'contact-form' then case n % 3 when 0 then 'general' when 1 then 'partnership' else 'support' end else '' end,
        case when kind = 'contact-form' then 'How many people can take part in one meeting, and where are its recordings kept? Number ' || n else '' end,
        at
      from (select people.*, ${hex12(dialect, sql`at`)} as hex from people) people
    `;
  });
  await database.write(async (trx) => {
    await sql`insert into suppressions (email_key, reason, delivery_id, created_at)
      select email_key, 'unsubscribed', null, created_at from submissions where created_at % 100 = 0`.execute(
      trx,
    );
    await sql`insert into submission_counts (kind, state, count) select kind, state, count(*) from submissions group by 1, 2`.execute(
      trx,
    );
    await sql`insert into submission_days (kind, day, count)
      select kind, created_at - created_at % 86400000, count(*) from submissions group by 1, 2`.execute(trx);
    await sql`insert into people (id, email_key, email, email_domain, name, company, role, forms, first_signup_at)
      select id, email_key, email, 'example.com', name, company, role,
        case kind when 'early-access' then 1 when 'contact-form' then 2 else 4 end, created_at
      from submissions`.execute(trx);
    await sql`update people_fill set finished_at = 0`.execute(trx);
  });
  // Built as by search-index.server.ts; no two submissions share a millisecond.
  const numbers = dialect === "sqlite" ? sql`created_at << 15,` : sql``;
  // As searchDocument in lib/search-words.ts: the words of the name, and then those found by any part.
  const words = sql`'  ' || replace(lower(name), ' ', '  ') || ${`  ${PARTS_FOLLOW}`} || '  ' || email || '  subscriber'
    || '  example.com' || case when company = '' then '' else '  ' || replace(lower(company), ' ', '  ') end`;
  const kindWords = sql`case kind when 'early-access' then ${KIND_WORDS["early-access"]}
    when 'contact-form' then ${KIND_WORDS["contact-form"]} else ${KIND_WORDS["updates-signup"]} end`;
  const n = dialect === "sqlite" ? sql`n,` : sql``;
  await database.write((trx) =>
    sql`insert into submission_documents (${n} id, words)
      select ${numbers} id, ${kindWords} || ${words} from submissions`.execute(trx),
  );
  await database.write((trx) =>
    sql`insert into people_documents (${n} id, words) select ${numbers} id, ${words} from submissions`.execute(
      trx,
    ),
  );
  await database.write((trx) =>
    sql`insert into inquiry_documents (${n} submission_id, words)
      select ${numbers} id, '\u0002 ' || email || ' ' || lower(name) || ' '
        || lower(replace(replace(message, ',', ''), '?', '')) from submissions where kind = 'contact-form'`.execute(
      trx,
    ),
  );
  await analyzeTables(database);
}

/** Adds a finished campaign to everybody who signed up: all sent, except a hundredth failed and one skipped. */
export async function addManyDeliveries(
  database: Database,
  { campaignId, count }: { campaignId: string; count: number },
): Promise<void> {
  const { dialect } = database;
  const now = Date.now();
  const campaign = {
    id: campaignId,
    state: "finished" as const,
    audience: "early-access" as const,
    title: "A million",
    message: "Hello",
    test_address: "",
    created_by: "superadmin@example.com",
    prepared_through: campaignId,
    audience_through: campaignId,
    created_at: now,
    confirmed_at: now,
    finished_at: now,
    touched_at: now,
  };
  await database.write((trx) => trx.insertInto("campaigns").values(campaign).execute());
  const state = sql`case n % 100 when 7 then 'failed' when 8 then 'skipped' else 'sent' end`;
  await inPieces(database, [0, count - 1], (numbers) => {
    return sql`
      insert into deliveries (id, campaign_id, address, email_key, name, message_id, state, detail, lease_owner, attempts, not_before, lease_until, updated_at)
      with recursive ${numbers}
      select ${`${campaignId.slice(0, 8)}-0000-7000-8000-`} || ${hex12(dialect, sql`n`)}, ${sql.lit(campaignId)}, 'subscriber' || n || '@example.com',
        'subscriber' || n || '@example.com', 'Ada Number' || n, '<' || n || '@example.com>', ${state},
        case n % 100 when 8 then 'unsubscribed' else '250 2.0.0 Ok' end, '', 1, 0, 0, ${sql.lit(now)}
      from numbers
    `;
  });
  await analyzeTables(database);
}

/** Formats a number as twelve hexadecimal digits. */
function hex12(dialect: Database["dialect"], value: RawBuilder<unknown>): RawBuilder<unknown> {
  return dialect === "sqlite" ? sql`printf('%012x', ${value})` : sql`lpad(to_hex(${value}), 12, '0')`;
}

/**
 * Analyzes the tables as autovacuum does within a minute. SQLite has no autovacuum, and the product never
 * analyzes.
 */
export async function analyzeTables({ dialect, read }: Database): Promise<void> {
  if (dialect === "postgres") await sql`vacuum analyze`.execute(read);
}
