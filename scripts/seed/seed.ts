import { join } from "node:path";
import type { Database } from "~/db/database.server";
import type { Environment } from "~/env.server";
import { Argon2PasswordHasher } from "~/services/accounts/drivers/argon2-password-hasher.server";
import { ensureSuperadmin, type FirstSuperadmin } from "~/services/accounts/first-superadmin.server";
import { getMeasuredName, getOrigin } from "~/services/composition/foundation.server";
import { DatabaseLogStore } from "~/services/logs/drivers/database-log-store.server";
import { OutboxMailer } from "~/services/mail/drivers/outbox-mailer.server";
import { createOutbox } from "~/services/mail/outbox.server";
import { pauseAll } from "~/services/queue/pause-all.server";
import { createAccountEvents } from "./account-events";
import { createAutomaticEvents } from "./automatic-events";
import { writeLogHistory } from "./log-history";
import { createEmailEvents, createSuppressionEvents } from "./email-events";
import { createImportEvents } from "./import-events";
import { createMirrorEvents } from "./mirror-events";
import { createPastTools, runInOrder, groupWrites, type PastTools } from "./past";
import { createPersonEvents } from "./person-events";
import { createPushEvents } from "./push-events";
import { writeResourceHistory } from "./resource-history";
import { createSignupEvents } from "./signup-events";

const SIZES = {
  small: { signups: 300, devices: 60, logLines: 4500, concurrency: 10 },
  large: { signups: 20_000, devices: 2000, logLines: 45_000, concurrency: 100 },
} as const;

/** "not-empty": there are real signups, campaigns or devices, which fictional ones must never mix with. */
type SeedOutcome = { ok: true; superadmin: FirstSuperadmin } | { ok: false; error: "not-empty" };

/**
 * Fills an empty database with 90 fictional days, so that every screen can be viewed. All of it goes through the
 * services, at its own times, with email and push drivers that contact nobody. Nothing is left to send when it
 * ends.
 * @param options.now the end of the seeded period, epoch milliseconds.
 * @throws what a service throws; then whatever was to be sent is paused.
 */
export async function seed(
  ungrouped: Database,
  environment: Environment,
  options: { size: keyof typeof SIZES; now: number },
): Promise<SeedOutcome> {
  const { now } = options;
  const size = SIZES[options.size];
  if (!(await isEmpty(ungrouped))) return { ok: false, error: "not-empty" };
  const { database, together } = groupWrites(ungrouped);
  const hasher = new Argon2PasswordHasher();
  const tools = await createPastTools(database, environment, now);
  try {
    const { SUPERADMIN_EMAIL: email, SUPERADMIN_PASSWORD: password } = environment;
    const superadmin = await ensureSuperadmin({ ...tools, hasher }, { email, password });
    const automatic = createAutomaticEvents(tools, getOrigin(environment));
    await runInOrder(
      [
        ...automatic.events,
        ...createAccountEvents(tools, { hasher, superadmin: await getSuperadminEmail(database) }),
        ...createSignupEvents(tools, size.signups, automatic.queue),
        ...createPersonEvents(tools),
        ...createSuppressionEvents(tools),
        ...createImportEvents(tools),
        ...createEmailEvents(tools, {
          outbox: openOutbox(tools, environment),
          origin: getOrigin(environment),
          concurrency: size.concurrency,
        }),
        ...createPushEvents(tools, environment.PUSH_DRIVER, size.devices),
        ...createMirrorEvents(tools),
      ],
      tools,
      together,
    );
    await writeLogHistory(new DatabaseLogStore(ungrouped), { ...tools, count: size.logLines });
    await together(() => writeResourceHistory({ ...tools, instance: getMeasuredName(environment) }));
    return { ok: true, superadmin };
  } finally {
    // A server that starts would continue them, and really send.
    await ungrouped.write((trx) => pauseAll(trx, { hold: "operator", hold_detail: "" }));
  }
}

/** Opens the outbox for accepted emails; undefined where the environment has none. */
function openOutbox({ database, newId, clock }: PastTools, { MAIL_DRIVER, DATA_DIR }: Environment) {
  if (MAIL_DRIVER !== "outbox") return undefined;
  const folder = join(DATA_DIR, "outbox");
  return new OutboxMailer({ folder, rows: createOutbox({ database, folder }), newId, now: clock });
}

async function isEmpty({ read }: Database): Promise<boolean> {
  for (const table of ["submissions", "campaigns", "broadcasts", "devices"] as const) {
    if (await read.selectFrom(table).select("id").limit(1).executeTakeFirst()) return false;
  }
  return true;
}

async function getSuperadminEmail({ read }: Database): Promise<string> {
  const row = read.selectFrom("accounts").select("email").where("role", "=", "superadmin").orderBy("id");
  return (await row.limit(1).executeTakeFirstOrThrow()).email;
}
