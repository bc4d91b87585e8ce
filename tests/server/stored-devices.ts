import { newId } from "~/services/service-deps";
import type { ServerProcess } from "../server-process";
import { execute } from "./visitors";

/** Stores a device whose messages end at the server: it was registered with another VAPID key. */
export function storeDevice(server: ServerProcess, appType: string, tenant?: string): void {
  execute(
    server,
    `insert into devices (id, token_hash, token, uid, app_type, tenant_id, kind, endpoint, p256dh, auth, scope, public_key,
       created_at, first_seen_at, last_seen_at)
     values ('${newId()}', '${newId()}', 't', 'u', '${appType}', ${tenant ? `'${tenant}'` : null}, 'webpush',
       'https://push.frontdesk.test/x', '', '', '', 'other keys', 1, 1, 1)`,
  );
}

/** Stores a company, and a device each of the landing page, of the application and of the company. */
export function storeDevices(server: ServerProcess): void {
  execute(server, "insert into tenants values ('acme', 'Acme', 'acme.com', 1)");
  storeDevice(server, "confer-landing");
  storeDevice(server, "confer-app");
  storeDevice(server, "confer-app", "acme");
}
