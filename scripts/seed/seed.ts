import type { Database } from "~/db/database.server";
import type { DevicesTable } from "~/db/tables/push";
import { days } from "~/lib/durations";
import { seededRandom } from "~/lib/seeded-random";
import { ensureSuperadmin } from "~/services/accounts/first-superadmin.server";
import type { FirstSuperadmin } from "~/services/accounts/first-superadmin.server";
import type { PasswordHasher } from "~/services/accounts/password-hasher";
import type { LogStore } from "~/services/logs/log-store";
import type { Mailer } from "~/services/mail/mailer";
import { accountDeeds, FIRST_ADMIN } from "./account-deeds";
import { createPast, doInOrder, joinWrites } from "./deeds";
import { writeLogHistory } from "./log-history";
import { mailDeeds } from "./mail-deeds";
import { mirrorDeeds } from "./mirror-deeds";
import { PAST_DAYS } from "./moments";
import { createPastIds } from "./past-tools";
import type { PastTools } from "./past-tools";
import { pushDeeds } from "./push-deeds";
import { writeResourceHistory } from "./resource-history";
import { signupDeeds } from "./signup-deeds";
import { SilentMailer, SilentPushSender } from "./silent-drivers";
import { suppressionDeeds } from "./suppression-deeds";

/** Any: what is made up is the same for the same moment. */
const SEED = 20_261_122;
/** Files on a disk; more say nothing new. */
const MOST_KEPT_MAILS = 200;

export const SIZES = {
  small: { signups: 300, devices: 60, log: 1, concurrency: 10 },
  large: { signups: 20_000, devices: 2000, log: 10, concurrency: 100 },
} as const;
export type Size = keyof typeof SIZES;

export interface SeedOptions {
  readonly database: Database;
  readonly hasher: PasswordHasher;
  readonly logStore: Pick<LogStore, "append">;
  readonly secrets: { readonly form: string; readonly session: string };
  /** Where accepted mails can be read, with the clock and the ids of then; left out: nowhere. */
  readonly outbox?: (then: Pick<PastTools, "clock" | "newId">) => Pick<Mailer, "send">;
  readonly engine: DevicesTable["kind"];
  readonly superadmin: { readonly email: string; readonly password: string | undefined };
  /** Whose resources the history is. */
  readonly instance: string;
  /** Address of the product, for the links in mails. */
  readonly origin: string;
  readonly paths: { readonly unsubscribe: (token: string) => string; readonly pushScope: string };
  readonly newPassword: () => string;
  readonly randomBytes: (count: number) => Buffer;
  readonly size: Size;
  /** When the past ends, epoch milliseconds. */
  readonly now: number;
}

/** "not-empty": somebody's signups, sends or devices are there, and made-up ones must never stand among them. */
export type Seeding = { ok: true; superadmin: FirstSuperadmin } | { ok: false; error: "not-empty" };

/**
 * Fills an empty database with 90 days that never were, so that every screen can be looked at. All of it goes through the services, at
 * the moments it has, with mail and push drivers that speak to nobody. Nothing of it is still to be sent when it ends.
 * @throws what a service throws; then whatever was to be sent is paused.
 */
export async function seed(options: SeedOptions): Promise<Seeding> {
  const { hasher, now, superadmin } = options;
  if (!(await isEmpty(options.database))) return { ok: false, error: "not-empty" };
  const { database, together } = joinWrites(options.database);
  const random = seededRandom(SEED);
  const past = createPast(now - days(PAST_DAYS));
  // Numbers of their own: how many ids a worker takes is not the same each time.
  const newId = createPastIds(past.clock, seededRandom(SEED + 1));
  const tools: PastTools = { database, clock: past.clock, newId, random, now };
  try {
    const made = await ensureSuperadmin({ ...tools, hasher }, superadmin);
    const email = await superadminOf(database);
    await doInOrder(deedsOf(tools, email, options), past, together);
    await writeLogHistory(options.logStore, { random, now, factor: SIZES[options.size].log });
    const ofResources = createPast(now - days(PAST_DAYS));
    const ids = createPastIds(ofResources.clock, seededRandom(SEED + 2));
    await together(() =>
      writeResourceHistory({ ...tools, newId: ids }, { past: ofResources, instance: options.instance }),
    );
    return { ok: true, superadmin: made };
  } finally {
    await pauseAll(options.database);
  }
}

function deedsOf(tools: PastTools, superadmin: string, options: SeedOptions) {
  const { hasher, secrets, engine, origin, paths, newPassword, randomBytes } = options;
  const size = SIZES[options.size];
  const operator = FIRST_ADMIN;
  const formSecret = secrets.form;
  const sender = new SilentPushSender(engine);
  const mailer = new SilentMailer(options.outbox?.(tools), MOST_KEPT_MAILS);
  return [
    ...accountDeeds(tools, { hasher, sessionSecret: secrets.session, superadmin, newPassword, randomBytes }),
    ...signupDeeds(tools, { count: size.signups, formSecret, operator }),
    ...suppressionDeeds(tools, operator),
    ...mailDeeds(tools, {
      mailer,
      formSecret,
      origin,
      operator,
      concurrency: size.concurrency,
      unsubscribePath: paths.unsubscribe,
    }),
    ...pushDeeds(tools, { sender, operator, scope: paths.pushScope, count: size.devices }),
    ...mirrorDeeds(tools),
  ];
}

async function isEmpty({ read }: Database): Promise<boolean> {
  for (const table of ["submissions", "sends", "broadcasts", "devices"] as const) {
    if (await read.selectFrom(table).select("id").limit(1).executeTakeFirst()) return false;
  }
  return true;
}

async function superadminOf({ read }: Database): Promise<string> {
  const row = read.selectFrom("accounts").select("email").where("role", "=", "superadmin").orderBy("id");
  return (await row.limit(1).executeTakeFirstOrThrow()).email;
}

/** A server that starts goes on with what it finds under way, and would really send it. */
async function pauseAll(database: Database): Promise<void> {
  await database.write(async (trx) => {
    for (const table of ["sends", "broadcasts"] as const) {
      await trx
        .updateTable(table)
        .set({ state: "paused" })
        .where("state", "in", ["preparing", "sending"])
        .execute();
    }
  });
}
