import { generateKeyPairSync, randomBytes } from "node:crypto";
import type { Database } from "~/db/database.server";
import type { Clock } from "~/services/service-deps";

/** Keys the product needs. Created on first start and kept in the database, so that all instances share them. */
export interface Secrets {
  /** Signs the cookies of logins, and encrypts the secrets of second factors: with another one these cannot be opened. */
  readonly session: string;
  /** Signs form stamps, the links in emails and the visitor's identity for push. */
  readonly form: string;
  /** The value of `form` before it was changed: what it signed stays valid. From the environment only. */
  readonly previousForm?: string;
  /** VAPID key pair for Web Push, base64url: the uncompressed P-256 point and the private scalar (RFC 8292). */
  readonly vapidPublic: string;
  readonly vapidPrivate: string;
}

/**
 * Reads the secrets and creates the missing ones. A secret from the environment takes precedence and is not
 * stored. Instances that start at the same moment share the same keys: the first to store one decides.
 */
export async function loadSecrets(
  database: Database,
  clock: Clock,
  overrides: Partial<Record<keyof Secrets, string | undefined>>,
): Promise<Secrets> {
  const rows = await database.write(async (trx) => {
    // Those that are stored already stay; the new ones for them are dropped.
    await trx
      .insertInto("secrets")
      .values(Object.entries(createSecrets()).map(([name, value]) => ({ name, value, created_at: clock() })))
      .onConflict((conflict) => conflict.column("name").doNothing())
      .execute();
    return trx.selectFrom("secrets").select(["name", "value"]).execute();
  });
  const stored = new Map(rows.map((row) => [row.name, row.value]));
  const secret = (name: keyof Secrets): string => {
    const value = overrides[name] ?? stored.get(name);
    if (!value) throw new Error(`The secret ${name} is missing from the database`);
    return value;
  };
  return {
    session: secret("session"),
    form: secret("form"),
    previousForm: overrides.previousForm,
    vapidPublic: secret("vapidPublic"),
    vapidPrivate: secret("vapidPrivate"),
  };
}

function createSecrets(): Secrets {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "", d = "" } = privateKey.export({ format: "jwk" });
  // 4 marks an uncompressed point.
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]);
  return {
    session: randomBytes(32).toString("base64url"),
    form: randomBytes(32).toString("base64url"),
    vapidPublic: point.toString("base64url"),
    vapidPrivate: d,
  };
}
