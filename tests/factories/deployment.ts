import { readEnvironment } from "~/env.server";
import type { SetupFacts } from "~/services/setup/setup-facts.server";
import type { DatabaseFacts } from "~/services/setup/database-facts.server";

type AccountFacts = PresentDatabase["accounts"][number];
type PresentDatabase = Extract<DatabaseFacts, { kind: "present" }>;
/** Changes to a correct deployment. `settings` are environment variables; an empty one is unset. */
export type DeploymentChanges = Partial<Omit<SetupFacts, "settings" | "database" | "program">> & {
  settings?: Partial<NodeJS.ProcessEnv>;
  database?: Partial<PresentDatabase> | Exclude<DatabaseFacts, PresentDatabase>;
  program?: Partial<SetupFacts["program"]>;
};

const NOW = Date.parse("2026-11-22T12:00:00Z");
const SETTINGS = {
  ORIGIN: "https://launch.confer.dev",
  BRAND_NAME: "Launchpad",
  CONTACT_EMAIL: "hello@confer.dev",
  SOCIAL_LINKEDIN: "https://www.linkedin.com/company/launchpad",
  SOCIAL_TWITTER: "https://twitter.com/launchpad",
  SOCIAL_INSTAGRAM: "none",
  PRIVACY_URL: "https://launchpad.dev/privacy",
  TRUST_PROXY: "1",
  HOST: "127.0.0.1",
  SESSION_SECRET: "kept-out-of-the-database-by-an-operator-who-means-it",
  REQUIRE_2FA: "on",
  BOUNCE_WEBHOOK_SECRET: "0123456789abcdef0123456789abcdef",
  METRICS_TOKEN: "fedcba9876543210fedcba9876543210",
  PASSWORD_MIN_LENGTH: "12",
  MAIL_DRIVER: "smtp",
  SMTP_URL: "smtp://frontdesk:secret@mail.confer.dev:587",
  MAIL_FROM: "hello@confer.dev",
  POSTAL_ADDRESS: "Confer, 1 Main Street, Springfield",
  GOOGLE_APPLICATION_CREDENTIALS: "/etc/frontdesk/google.json",
};

export const superadmin: AccountFacts = {
  email: "ada@confer.dev",
  role: "superadmin",
  hasTemporaryPassword: false,
  hasEnvironmentPassword: false,
  hasSecondFactor: true,
};

const DATABASE: PresentDatabase = {
  kind: "present",
  writeProblem: undefined,
  clockAheadMs: undefined,
  findsParts: undefined,
  connectionLimit: undefined,
  logBytes: 0,
  applied: ["0001-accounts", "0002-submissions"],
  known: ["0001-accounts", "0002-submissions"],
  accounts: [superadmin],
  instances: [],
  sharedNames: [],
};

/** Returns the facts of a deployment that is ready for production, with `changes` applied. */
export function deployment(changes: DeploymentChanges = {}): SetupFacts {
  const { settings, database, program, ...rest } = changes;
  const isReplaced = database?.kind === "none" || database?.kind === "unreachable";
  const environment = readEnvironment({ NODE_ENV: "production", ...SETTINGS, ...settings });
  const facts: DatabaseFacts = isReplaced ? database : { ...DATABASE, ...database };
  return {
    now: NOW,
    settings: environment,
    origin: environment.ORIGIN ?? "http://localhost:3000",
    sessionCookie: "__Host-sid=x; Max-Age=604800; Path=/; HttpOnly; Secure; SameSite=Lax",
    originResponse: {
      status: 200,
      clockAheadMs: 400,
      plainHttp: { status: 308, location: "https://launch.confer.dev/" },
    },
    dataFolder: { path: "/var/lib/frontdesk", fileSystem: "ext4", openToOthers: [], free: 50_000_000_000 },
    backups: { folder: "/mnt/backups", newestAt: NOW - 36_000_000, isOnSameDisk: false, hasTools: true },
    mailDomain: { hasSpf: true, hasDmarc: true },
    redis: { problem: undefined },
    googleKeyFile: { mode: 0o600, isServiceAccount: true },
    accounts: facts.kind === "present" ? facts.accounts : undefined,
    hasDatabase: facts.kind !== "none",
    ...rest,
    database: facts,
    program: {
      node: "24.21.0",
      pinnedNode: "24.21.0",
      build: "current",
      overridesMissing: [],
      openFiles: 65_536,
      isRoot: false,
      isInContainer: false,
      envFileMode: 0o600,
      ...program,
    },
  };
}
