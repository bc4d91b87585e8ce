import type { Migration } from "kysely/migration";
import { runStatements } from "../run-statements";

/** Creates the templates of campaigns, and the default of each recipient group (docs/decisions/0118). */
export const templates: Migration = {
  up: (db) =>
    runStatements(db, [
      `create table campaign_templates (
        id text primary key,
        name text not null,
        name_key text not null,
        title text not null,
        message text not null,
        format text not null,
        created_by text not null,
        created_at bigint not null,
        changed_by text not null,
        changed_at bigint not null,
        deleted_by text not null default '',
        deleted_at bigint
      )`,
      `create unique index campaign_templates_by_name on campaign_templates (name_key) where deleted_at is null`,
      `create table campaign_template_defaults (
        audience text primary key,
        template_id text not null references campaign_templates (id) on delete cascade
      )`,
      `create index campaign_template_defaults_of on campaign_template_defaults (template_id)`,
      // Of no foreign key: a campaign keeps the id of a template that was deleted.
      `alter table campaigns add column template_id text`,
      `create index campaigns_by_template on campaigns (template_id)
        where template_id is not null and state <> 'draft'`,
    ]),
};
