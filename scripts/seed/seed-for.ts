import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { hasOtherClients } from "~/db/copy-postgres.server";
import { isInUse } from "~/db/copy-sqlite.server";
import { openDatabase } from "~/db/open-database.server";
import type { Environment } from "~/env.server";
import { pathExists } from "~/lib/path-exists.server";
import { paths } from "~/paths";
import { Argon2PasswordHasher } from "~/services/accounts/drivers/argon2-password-hasher.server";
import { DatabaseLogStore } from "~/services/logs/drivers/database-log-store.server";
import { OutboxMailer } from "~/services/mail/drivers/outbox-mailer.server";
import { outboxRows } from "~/services/mail/outbox.server";
import { loadSecrets } from "~/services/secrets/secrets.server";
import { seed } from "./seed";
import type { Seeding, Size } from "./seed";
import { getInstanceName, getOrigin, getOwnSecrets } from "~/services/composition/foundation.server";

/** "in-use": a server that runs would really send what the made-up past only seems to send. */
export type SeedOutcome = Seeding | { ok: false; error: "in-use" };

/** Fills the database of this environment with a made-up past (seed.ts). */
export async function seedFor(
  environment: Environment,
  { size, now }: { size: Size; now: number },
): Promise<SeedOutcome> {
  const { DATA_DIR: dataDir, DATABASE_URL: url } = environment;
  const isThere = await pathExists(join(dataDir, "frontdesk.db"));
  const inUse = url === undefined ? isThere && isInUse(dataDir) : await hasOtherClients(url);
  if (inUse) return { ok: false, error: "in-use" };
  const database = await openDatabase({ url, dataDir, onError: () => undefined });
  try {
    const rows = outboxRows(database);
    const folder = join(dataDir, "outbox");
    const outbox = ({ clock, newId }: { clock: () => number; newId: () => string }) =>
      new OutboxMailer({ folder, rows, newId, now: clock });
    return await seed({
      database,
      size,
      now,
      randomBytes,
      paths,
      hasher: new Argon2PasswordHasher(),
      logStore: new DatabaseLogStore(database),
      secrets: await loadSecrets(database, () => now, getOwnSecrets(environment)),
      ...(environment.MAIL_DRIVER === "outbox" ? { outbox } : {}),
      engine: environment.PUSH_DRIVER,
      superadmin: { email: environment.SUPERADMIN_EMAIL, password: environment.SUPERADMIN_PASSWORD },
      instance: getInstanceName(environment),
      origin: getOrigin(environment),
      newPassword: () => randomBytes(18).toString("base64url"),
    });
  } finally {
    await database.close();
  }
}
