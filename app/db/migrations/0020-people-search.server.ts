import { sql, type Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import { isPostgres, runStatements } from "../run-statements";

/**
 * Lets people be listed, filtered and found by any part of their address and company (docs/decisions/0018, 0110).
 * Documents and people are written anew while the server serves (fill-people.server.ts), the newest first.
 */
export const peopleSearch: Migration = {
  up: async (db) => {
    const onPostgres = isPostgres(db);
    await runStatements(db, [
      `alter table people add column forms integer not null default 0`,
      `alter table people add column confirmed_at bigint`,
      // Orders and filters of the list of people; the last one is walked for several filters together.
      `create index people_by_name on people (lower(name), id)`,
      `create index people_by_company on people (lower(company), id)`,
      `create index people_by_domain on people (email_domain, id)`,
      `create index people_by_role on people (role, id) where role <> ''`,
      `create index people_confirmed on people (id) where confirmed_at is not null`,
      `create index people_without_form on people (id) where forms = 0`,
      `create index people_early_access on people (id) where forms & 1 <> 0`,
      `create index people_contact_form on people (id) where forms & 2 <> 0`,
      `create index people_updates_signup on people (id) where forms & 4 <> 0`,
      `create index people_by_filters on people (id, forms, role, confirmed_at, email_domain)`,
      ...(onPostgres ? [] : [`drop table search_index`]),
      `drop table search_documents`,
      ...createDocuments("submission", onPostgres),
      ...createDocuments("people", onPostgres),
      `update people_fill set last_submission = '~', finished_at = null`,
    ]);
    if (onPostgres) await indexOnPostgres(db);
  },
};

/** An entry whose submission or person is erased or hidden has no id; its words are removed after it. */
function createDocuments(name: string, onPostgres: boolean): string[] {
  const documents = `${name}_documents`;
  const index = `${name}_index`;
  return [
    `create table ${documents} (
      ${onPostgres ? "" : "n integer primary key,"}
      id text unique,
      words text not null
    )`,
    ...(onPostgres
      ? []
      : [
          `create virtual table ${index} using fts5 (
            id unindexed, words, content = '${documents}', content_rowid = 'n',
            detail = none, columnsize = 0, tokenize = "trigram case_sensitive 1"
          )`,
          `insert into ${index} (${index}, rank) values ('secure-delete', 1)`,
          `create index ${documents}_removed on ${documents} (n) where id is null`,
          `create trigger ${documents}_insert after insert on ${documents} begin
            insert into ${index} (rowid, id, words) values (new.n, new.id, new.words);
          end`,
          `create trigger ${documents}_delete after delete on ${documents} begin
            insert into ${index} (${index}, rowid, id, words) values ('delete', old.n, old.id, old.words);
          end`,
        ]),
  ];
}

/**
 * Indexes the parts of words by pg_trgm; where it cannot be created, the starts of words. With the character type "C" it
 * would know no letters but a to z.
 */
async function indexOnPostgres(db: Kysely<unknown>): Promise<void> {
  for (const documents of ["submission_documents", "people_documents"]) {
    await sql
      .raw(
        `do $$ begin
          if (select datctype in ('C', 'POSIX') from pg_database where datname = current_database()) then
            raise exception 'the database knows no letters but a to z';
          end if;
          create extension if not exists pg_trgm;
          create index ${documents}_parts on ${documents} using gin (words gin_trgm_ops);
        exception when others then
          create index ${documents}_words on ${documents}
            using gin (array_to_tsvector(string_to_array(replace(ltrim(words), '  ', ' '), ' ')));
        end $$`,
      )
      .execute(db);
  }
}
