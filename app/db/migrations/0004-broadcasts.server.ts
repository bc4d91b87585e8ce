import type { Migration } from "kysely/migration";
import { runStatements } from "../run-statements";

/** Creates devices that receive push messages, their companies, and broadcasts with a result per message. */
export const broadcasts: Migration = {
  up: (db) =>
    runStatements(db, [
      `create table devices (
        id text primary key,
        token_hash text not null unique,
        token text not null,
        uid text not null,
        app_type text not null,
        tenant_id text,
        kind text not null,
        endpoint text not null,
        p256dh text not null,
        auth text not null,
        scope text not null,
        public_key text not null,
        created_at bigint not null,
        first_seen_at bigint not null,
        last_seen_at bigint not null,
        first_accepted_at bigint
      )`,
      // To find the device a visitor used longest ago.
      `create index devices_by_visitor on devices (uid, last_seen_at, id)`,
      // An audience is counted from the index alone.
      `create index devices_by_app on devices (kind, app_type)`,
      `create index devices_by_tenant on devices (kind, tenant_id) where tenant_id is not null`,

      `create table tenants (
        id text primary key,
        name text not null,
        domain text not null,
        updated_at bigint not null
      )`,

      `create table broadcasts (
        id text primary key,
        state text not null,
        audience text not null,
        tenant_id text,
        tenant_name text not null,
        title text not null,
        body text not null,
        link text not null,
        created_by text not null,
        created_at bigint not null,
        touched_at bigint not null,
        confirmed_at bigint,
        finished_at bigint,
        prepared_through text not null default '',
        audience_through text not null default '',
        problem text not null default '',
        stopped_by text not null default '',
        answers integer not null default 0,
        refusals integer not null default 0,
        service_refusals text not null default '{}'
      )`,
      `create index broadcasts_state on broadcasts (state, id)`,

      `create table pushes (
        id text primary key,
        broadcast_id text not null references broadcasts (id) on delete cascade,
        device_id text not null,
        service text not null,
        state text not null,
        detail text not null,
        attempts integer not null default 0,
        not_before bigint not null,
        lease_owner text not null,
        lease_until bigint not null,
        updated_at bigint not null
      )`,
      // Like the index of deliveries, but first attempts before retries.
      `create index pushes_due on pushes (broadcast_id, not_before, id) where state in ('pending', 'retrying')`,
      `create index pushes_claimed on pushes (lease_until) where state = 'claimed'`,
      `create index pushes_by_state on pushes (broadcast_id, state, id)`,

      `create table platform_broadcasts (
        id text primary key,
        state text not null,
        success_count bigint not null,
        failure_count bigint not null,
        detail text not null,
        attempts integer not null,
        not_before bigint not null,
        lease_owner text not null,
        lease_until bigint not null,
        updated_at bigint not null
      )`,
      `create index platform_broadcasts_due on platform_broadcasts (not_before, id) where state in ('pending', 'retrying')`,
      `create index platform_broadcasts_claimed on platform_broadcasts (lease_until) where state = 'claimed'`,
    ]),
};
