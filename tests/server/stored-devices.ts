import SqliteFile from "better-sqlite3";
import { newId } from "~/services/ids.server";

/** A company, and a device each of the landing page, of the application and of that company's, in a server's database. */
export function storeDevices(path: string): void {
  const file = new SqliteFile(path, { timeout: 5000 });
  file.exec("insert into tenants values ('acme', 'Acme', 'acme.com', 1)");
  const device = file.prepare(
    `insert into devices (id, token_hash, token, uid, app_type, tenant_id, kind, endpoint, p256dh, auth, scope, public_key,
       created_at, first_seen_at, last_seen_at)
     values (?, ?, 't', 'u', ?, ?, 'webpush', 'https://push.frontdesk.test/x', '', '', '', 'other keys', 1, 1, 1)`,
  );
  for (const [app, tenant] of [
    ["confer-landing", null],
    ["confer-app", null],
    ["confer-app", "acme"],
  ]) {
    device.run(newId(), newId(), app, tenant);
  }
  file.close();
}
