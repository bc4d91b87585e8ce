import { brand } from "~/brand";
import { openDatabase } from "~/db/database.server";
import { EnvironmentError, readEnvironment } from "~/env.server";
import { minutes } from "~/lib/durations";
import { paths } from "~/paths";
import { originOf } from "~/request-context.server";
import { serverBridge } from "../../server/bridge";
import { createAccess } from "./access/access.server";
import { createFormLogin } from "./access/form-login.server";
import { createSessionCookie } from "./access/session-cookie.server";
import { createAccounts } from "./accounts/accounts.server";
import { Argon2PasswordHasher } from "./accounts/drivers/argon2-password-hasher.server";
import { ensureSuperadmin } from "./accounts/first-superadmin.server";
import { sweepAttempts } from "./attempts/attempts.server";
import { newId } from "./ids.server";
import { loadSecrets } from "./secrets/secrets.server";
import { createSessions } from "./sessions/sessions.server";
import { createFormStamps } from "./signups/form-stamp.server";
import { createSignups } from "./signups/signups.server";

/**
 * The composition root: environment -> drivers -> services. The only file that knows all three. remix-serve imports the
 * build before it listens, so nothing is served before the database is open and up to date.
 */
const bridge = serverBridge();
const { logger } = bridge;
const clock = Date.now;

async function compose() {
  const environment = readEnvironment();
  const origin = environment.ORIGIN ?? `http://localhost:${environment.PORT}`;
  const database = await openDatabase({
    url: environment.DATABASE_URL,
    dataDir: environment.DATA_DIR,
    onError: (err) => logger.warn({ err }, "lost an idle database connection"),
  });
  const secrets = await loadSecrets(database, clock, {
    session: environment.SESSION_SECRET,
    form: environment.FORM_SECRET,
    vapidPublic: environment.VAPID_PUBLIC_KEY,
    vapidPrivate: environment.VAPID_PRIVATE_KEY,
  });

  const hasher = new Argon2PasswordHasher();
  const accounts = createAccounts({ database, hasher, clock, newId });
  const sessions = createSessions({ database, clock });
  const sessionCookie = createSessionCookie({ secret: secrets.session, secure: origin.startsWith("https:") });
  const access = createAccess({ sessions, cookie: sessionCookie });
  const logIn = createFormLogin({ accounts, originOf });
  const signups = createSignups({ database, stamps: createFormStamps(secrets.form), clock, newId });

  const superadmin = await ensureSuperadmin(
    { database, hasher, clock, newId },
    { email: environment.SUPERADMIN_EMAIL, password: environment.SUPERADMIN_PASSWORD },
  );

  return {
    environment,
    origin,
    database,
    accounts,
    sessions,
    sessionCookie,
    access,
    logIn,
    signups,
    superadmin,
  };
}

export const { accounts, sessionCookie, access, logIn, signups, ...inner } = await compose().catch(stopBoot);

/** Starts what runs beside requests: readiness, sweeping, draining. Called once, by entry.server. */
export function startBackgroundWork(): void {
  announce();
  const sweeping = setInterval(() => {
    Promise.all([sweepAttempts(inner.database, clock), inner.sessions.sweep()]).catch((err: unknown) =>
      logger.warn({ err }, "sweeping failed"),
    );
  }, minutes(10));
  sweeping.unref();
  bridge.setReadinessProbe(async () => {
    await inner.database.probe();
    return { ok: true };
  });
  bridge.onDrain(async () => {
    clearInterval(sweeping);
    await inner.database.close();
  });
}

function announce(): void {
  const { superadmin, origin } = inner;
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
