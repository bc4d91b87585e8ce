import { randomBytes } from "node:crypto";
import type { Database } from "~/db/database.server";
import { Argon2PasswordHasher } from "~/services/accounts/drivers/argon2-password-hasher.server";
import { DatabaseLogStore } from "~/services/logs/drivers/database-log-store.server";
import { OutboxMailer } from "~/services/mail/drivers/outbox-mailer.server";
import { outboxRows } from "~/services/mail/outbox.server";
import { paths } from "~/paths";
import { seed } from "../../scripts/seed/seed";
import type { SeedOptions, Seeding } from "../../scripts/seed/seed";

/** Fills a database as npm run seed does, at a moment that stands still; give what differs. */
export function seedOn(
  database: Database,
  dataDir: string,
  differing: Partial<SeedOptions> = {},
): Promise<Seeding> {
  return seed({
    database,
    paths,
    randomBytes,
    size: "small",
    now: Date.UTC(2026, 10, 21, 8),
    engine: "webpush",
    hasher: new Argon2PasswordHasher(),
    logStore: new DatabaseLogStore(database),
    secrets: { form: "a secret of the tests", session: "another secret of the tests" },
    outbox: ({ clock, newId }) =>
      new OutboxMailer({ folder: `${dataDir}/outbox`, rows: outboxRows(database), newId, now: clock }),
    superadmin: { email: "superadmin@example.com", password: undefined },
    instance: "one:3000",
    origin: "http://localhost:3000",
    newPassword: () => randomBytes(18).toString("base64url"),
    ...differing,
  });
}
