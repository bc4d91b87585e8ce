import { hostname } from "node:os";
import { join } from "node:path";
import { createAppearanceCookie } from "~/appearance-cookie.server";
import { brand } from "~/brand";
import { openDatabase } from "~/db/database.server";
import type { Database } from "~/db/database.server";
import { EnvironmentError, readEnvironment } from "~/env.server";
import type { Environment } from "~/env.server";
import { hours, minutes, seconds } from "~/lib/durations";
import { mebibytes } from "~/lib/sizes";
import { operatorMessages } from "~/operator-messages";
import { paths } from "~/paths";
import { originOf } from "~/request-context.server";
import packageJson from "../../package.json";
import { serverBridge } from "../../server/bridge";
import { createAccess } from "./access/access.server";
import { createFormLogin } from "./access/form-login.server";
import { createSessionCookie } from "./access/session-cookie.server";
import { createAccounts } from "./accounts/accounts.server";
import { Argon2PasswordHasher } from "./accounts/drivers/argon2-password-hasher.server";
import { ensureSuperadmin } from "./accounts/first-superadmin.server";
import { createPasswordPolicy } from "./accounts/password-policy.server";
import type { PasswordPolicy } from "./accounts/password-policy.server";
import { createUserManagement } from "./accounts/user-management.server";
import { sweepAttempts } from "./attempts/attempts.server";
import { createActivity } from "./audit/activity.server";
import { createDenials } from "./audit/denials.server";
import { createConfirmationTokens } from "./confirmations/confirmation-tokens.server";
import { createConfirmations } from "./confirmations/confirmations.server";
import { createConfirmationMails } from "./confirmations/mail-rounds.server";
import { createDiskReserve } from "./disk/disk-reserve.server";
import { newId } from "./ids.server";
import { composeOutreachMail } from "./mail/compose";
import { composeConfirmationMail } from "./mail/compose-confirmation";
import { OutboxMailer } from "./mail/drivers/outbox-mailer.server";
import { SmtpMailer } from "./mail/drivers/smtp-mailer.server";
import type { Mailer } from "./mail/mailer";
import { createOutboxReader } from "./mail/outbox-reader.server";
import type { OutboxReader } from "./mail/outbox-reader.server";
import { outboxRows } from "./mail/outbox-rows.server";
import { createDispatcher } from "./outreach/dispatcher.server";
import { createOutreach } from "./outreach/outreach.server";
import { sweepDrafts } from "./outreach/sweep-drafts.server";
import { createTestMail } from "./outreach/test-mail.server";
import { TokenBucket } from "./outreach/token-bucket";
import { loadSecrets } from "./secrets/secrets.server";
import { createOwnSessions } from "./sessions/own-sessions.server";
import { createSessions } from "./sessions/sessions.server";
import { createFormStamps } from "./signups/form-stamp.server";
import { createQuarantine } from "./signups/quarantine.server";
import { createSignups } from "./signups/signups.server";
import { sweepFingerprints } from "./signups/sweep-fingerprints.server";
import { createUnsubscribeTokens } from "./suppressions/unsubscribe-tokens.server";
import { createUnsubscribing } from "./suppressions/unsubscribing.server";

/**
 * The composition root: environment -> drivers -> services. The only file that knows all three. remix-serve imports the
 * build before it listens, so nothing is served before the database is open and up to date.
 */
const bridge = serverBridge();
const { logger } = bridge;
const clock = Date.now;

async function compose() {
  const environment = readEnvironment();
  const passwordPolicy = createPasswordPolicy({
    minLength: environment.PASSWORD_MIN_LENGTH,
    brandWords: [brand.name, packageJson.name],
  });
  checkSuperadminPassword(environment, passwordPolicy);
  const origin = environment.ORIGIN ?? `http://localhost:${environment.PORT}`;
  const database = await openDatabase({
    url: environment.DATABASE_URL,
    dataDir: environment.DATA_DIR,
    onError: (err) => logger.warn({ err }, "lost a database connection"),
  });
  const disk = createDiskReserve({
    folder: environment.DATA_DIR,
    minimumFree: mebibytes(environment.MIN_FREE_DISK_MB),
    log: logger,
  });
  const secrets = await loadSecrets(database, clock, {
    session: environment.SESSION_SECRET,
    form: environment.FORM_SECRET,
    vapidPublic: environment.VAPID_PUBLIC_KEY,
    vapidPrivate: environment.VAPID_PRIVATE_KEY,
  });

  const hasher = new Argon2PasswordHasher();
  const accounts = createAccounts({ database, hasher, passwordPolicy, clock, newId });
  const protectedAccounts = environment.PROTECTED_ACCOUNTS;
  const userManagement = createUserManagement({ database, hasher, clock, newId, protectedAccounts });
  const sessions = createSessions({ database, clock, newId });
  const secure = origin.startsWith("https:");
  const sessionCookie = createSessionCookie({ secret: secrets.session, secure });
  const appearanceCookie = createAppearanceCookie({ secure });
  const denials = createDenials({ database, clock, newId });
  const access = createAccess({ sessions, cookie: sessionCookie, denials, originOf });
  const ownSessions = createOwnSessions({ database, clock, newId });
  const activity = createActivity({ database, clock, newId });
  const logIn = createFormLogin({ accounts, originOf });

  const { mailer, outbox } = mailFor(environment, database);
  const tokens = createUnsubscribeTokens(secrets.form);
  const sending = {
    ...{ database, mailer, clock, newId, log: logger },
    sender: { name: brand.senderLabel, address: environment.MAIL_FROM },
    mailDomain: environment.MAIL_FROM.split("@")[1] ?? "localhost",
    instance: `${hostname()}:${environment.PORT}`,
    concurrency: environment.MAIL_CONCURRENCY,
    rate: new TokenBucket(environment.MAIL_RATE_PER_SECOND, clock()),
    resendAfterCrash: environment.RESEND_AFTER_CRASH,
  };
  const dispatcher = createDispatcher({
    ...{ ...sending, compose: composeOutreachMail },
    unsubscribeUrl: (deliveryId) => origin + paths.unsubscribe(tokens.tokenFor(deliveryId)),
  });
  const outreach = createOutreach({ database, clock, newId, wake: dispatcher.wake });
  const sendTestMail = createTestMail({ ...sending, compose: composeOutreachMail });
  const unsubscribing = createUnsubscribing({ database, tokens, clock, newId });

  const confirmationTokens = createConfirmationTokens(secrets.form);
  const confirmationMails = createConfirmationMails({
    ...{ ...sending, compose: composeConfirmationMail },
    confirmUrl: (asking) => origin + paths.confirmUpdates(confirmationTokens.tokenFor(asking)),
  });
  const confirmations = createConfirmations({
    ...{ database, tokens: confirmationTokens, clock, newId, wake: confirmationMails.wake },
  });
  const optIn = environment.DOUBLE_OPT_IN ? confirmations.optIn : undefined;
  const stamps = createFormStamps(secrets.form);
  const signups = createSignups({ database, stamps, clock, newId, optIn });
  const quarantine = createQuarantine({ database, clock, newId, optIn });

  const superadmin = await ensureSuperadmin(
    { database, hasher, clock, newId },
    { email: environment.SUPERADMIN_EMAIL, password: environment.SUPERADMIN_PASSWORD },
  );
  return {
    ...{ origin, database, disk, mailer, dispatcher, confirmationMails, sessions, superadmin },
    ...{ accounts, userManagement, passwordPolicy },
    ...{ access, logIn, sessionCookie, appearanceCookie, ownSessions, activity },
    ...{ signups, quarantine, confirmations },
    ...{ outreach, sendTestMail, unsubscribing, outbox },
    /** What the status bar says. */
    status: { database: database.dialect, mail: mailer.name, version: packageJson.version },
  };
}

/**
 * The account most worth guessing obeys the rule for all.
 * @throws EnvironmentError
 */
function checkSuperadminPassword(environment: Environment, policy: PasswordPolicy): void {
  const problem = policy.problemWith(environment.SUPERADMIN_PASSWORD ?? "");
  if (environment.SUPERADMIN_PASSWORD === undefined || problem === undefined) return;
  const sentence = operatorMessages.password.problems(policy.minLength)[problem];
  throw new EnvironmentError(`The environment is not usable:\n  SUPERADMIN_PASSWORD: ${sentence}`);
}

/** The mail driver the environment chose; the outbox can also be read. */
function mailFor(
  environment: Environment,
  database: Database,
): { mailer: Mailer; outbox: OutboxReader | undefined } {
  if (environment.MAIL_DRIVER === "smtp" && environment.SMTP_URL) {
    const concurrency = environment.MAIL_CONCURRENCY;
    return { mailer: new SmtpMailer({ url: environment.SMTP_URL, concurrency }), outbox: undefined };
  }
  const folder = join(environment.DATA_DIR, "outbox");
  const rows = outboxRows(database);
  return {
    mailer: new OutboxMailer({ folder, rows, newId, now: clock }),
    outbox: createOutboxReader({ rows, folder }),
  };
}

const { database, disk, mailer, dispatcher, confirmationMails, sessions, superadmin, ...services } =
  await compose().catch(stopBoot);

/** What routes use. */
export const { origin, accounts, userManagement, passwordPolicy, appearanceCookie } = services;
export const { access, logIn, sessionCookie, ownSessions, activity } = services;
export const { signups, quarantine, confirmations } = services;
export const { outreach, sendTestMail, unsubscribing, outbox, status } = services;

/** Starts what runs beside requests: sending, sweeping, readiness, draining. Called once, by entry.server. */
export function startBackgroundWork(): void {
  announce();
  dispatcher.start();
  confirmationMails.start();
  const sweeping = [
    sweepEvery(minutes(10), () => [sweepAttempts(database, clock), sessions.sweep(), confirmations.purge()]),
    sweepEvery(hours(1), () => [sweepFingerprints(database, clock), sweepDrafts(database, clock)]),
  ];
  const hasSpace = () =>
    disk.hasSpace().catch((err: unknown) => {
      logger.warn({ err }, "the free disk space is not known");
      return true;
    });
  void hasSpace();
  const lookingAtDisk = setInterval(() => void hasSpace(), seconds(10));
  bridge.setReadinessProbe(async () => {
    // First, because it may make room for the write.
    const isSpaceLeft = await hasSpace();
    await database.probe();
    return isSpaceLeft ? { ok: true } : { ok: false, reason: "disk-low" };
  });
  bridge.onDrain(async () => {
    [...sweeping, lookingAtDisk].forEach(clearInterval);
    await Promise.all([dispatcher.stop(), confirmationMails.stop()]);
    await mailer.close();
    await database.close();
  });
}

/** What a sweep leaves when it fails, the next one takes. */
function sweepEvery(ms: number, sweeps: () => Promise<unknown>[]): NodeJS.Timeout {
  return setInterval(() => {
    Promise.all(sweeps()).catch((err: unknown) => logger.warn({ err }, "sweeping failed"));
  }, ms);
}

function announce(): void {
  if (!superadmin.made) return;
  // The one-time password goes to the terminal, not to the log: logs are kept and shipped.
  const password = superadmin.oneTimePassword ?? "(from SUPERADMIN_PASSWORD)";
  process.stdout.write(
    `\n  ${brand.name} back office: ${origin}${paths.login}\n  Email:    ${superadmin.email}\n  Password: ${password}\n` +
      (superadmin.oneTimePassword ? "  Shown once; you choose your own at the first login.\n\n" : "\n"),
  );
}

/** Ends a boot that cannot succeed with a sentence for the person at the terminal. */
function stopBoot(error: unknown): never {
  if (error instanceof EnvironmentError) process.stderr.write(`${error.message}\n`);
  else logger.fatal({ err: error }, "could not start");
  process.exit(1);
}
