import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Database } from "~/db/database.server";
import { PUSH_NAME } from "../fakes/push-service";
import type { ServerProcess } from "../server-process";
import { addDevices, createSubscription, createVapidKeys } from "./push";

/** Creates environment variables with which a server takes a fake push service for one on the internet. */
export function createPushNetwork({ cert, port }: { cert: string; port: number }) {
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-push-"));
  const file = join(folder, "service.pem");
  writeFileSync(file, cert);
  const preload = fileURLToPath(new URL("../fakes/push-network.mjs", import.meta.url));
  const { publicKey, privateKey } = createVapidKeys();
  return {
    publicKey,
    environment: {
      NODE_OPTIONS: `--import=${preload}`,
      NODE_EXTRA_CA_CERTS: file,
      PUSH_ALLOWED_HOSTS: `${PUSH_NAME}:${port}`,
      VAPID_PUBLIC_KEY: publicKey,
      VAPID_PRIVATE_KEY: privateKey,
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Headers that a browser adds to the requests of our pages. */
export const FROM_PAGE = { "Sec-Fetch-Site": "same-origin" };

/** Posts a device token as a visitor's page does; a string is sent as it is. */
export function postDevice(
  product: ServerProcess,
  idToken: string,
  record: object | string,
  headers: Record<string, string> = {},
): Promise<Response> {
  const defaults = { "Content-Type": "application/json", Authorization: `Bearer ${idToken}` };
  return product.fetch("/api/DeviceToken", {
    method: "POST",
    body: typeof record === "string" ? record : JSON.stringify({ appType: "confer-landing", ...record }),
    headers: { ...FROM_PAGE, ...defaults, ...headers },
  });
}

/** Signs a new visitor in and registers a device of theirs. */
export async function registerDevice(product: ServerProcess, token: string): Promise<void> {
  const visitor = await product.fetch("/api/visitor", { method: "POST", headers: FROM_PAGE });
  const { uid, idToken } = (await visitor.json()) as { uid: string; idToken: string };
  const { status } = await postDevice(product, idToken, { token, userId: uid });
  if (status !== 200) throw new Error(`Registering answered ${status}`);
}

/** Stores `count` devices of a push service, all with the keys of one browser, which is quicker. */
export function storeDevices(
  database: Database,
  count: number,
  { endpoint, publicKey }: { endpoint: (path: string) => string; publicKey: string },
): Promise<void> {
  const { keys } = JSON.parse(createSubscription().token) as { keys: { p256dh: string; auth: string } };
  const paths = Array.from({ length: count }, (_, index) => String(index + 1));
  return addDevices(database, paths, (path) => ({
    ...keys,
    endpoint: endpoint(path),
    public_key: publicKey,
  }));
}
