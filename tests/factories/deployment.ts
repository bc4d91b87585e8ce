import { readEnvironment } from "~/env.server";
import type { DeployFacts } from "../../scripts/deploy-checks/collect-facts";
import type { AccountFacts, DatabaseFacts } from "../../scripts/deploy-checks/database-facts";

type PresentDatabase = Extract<DatabaseFacts, { kind: "present" }>;
/** Changes to a correct deployment. `settings` are environment variables; an empty one is unset. */
export type DeploymentChanges = Partial<Omit<DeployFacts, "settings" | "database" | "program">> & {
  settings?: Partial<NodeJS.ProcessEnv>;
  database?: Partial<PresentDatabase> | Exclude<DatabaseFacts, PresentDatabase>;
  program?: Partial<DeployFacts["program"]>;
};

const NOW = Date.parse("2026-11-22T12:00:00Z");
const SETTINGS = {
  ORIGIN: "https://launch.confer.dev",
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
  connectionLimit: undefined,
  applied: ["0001-accounts", "0002-submissions"],
  known: ["0001-accounts", "0002-submissions"],
  accounts: [superadmin],
  instances: [],
  sharedNames: [],
};

/** Returns the facts of a deployment that is ready for production, with `changes` applied. */
export function deployment(changes: DeploymentChanges = {}): DeployFacts {
  const { settings, database, program, ...rest } = changes;
  const isReplaced = database?.kind === "none" || database?.kind === "unreachable";
  const environment = readEnvironment({ NODE_ENV: "production", ...SETTINGS, ...settings });
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
    page: {
      brand: {
        name: "Launchpad",
        contactEmail: "hello@confer.dev",
        copyrightYear: 2026,
        social: { linkedin: "https://www.linkedin.com/company/launchpad" },
      },
      footer: { path: "footer.tsx", text: '<a href="https://launchpad.dev/privacy">Privacy policy</a>' },
    },
    dataFolder: { path: "/var/lib/frontdesk", fileSystem: "ext4", openToOthers: [], free: 50_000_000_000 },
    backups: { folder: "/mnt/backups", newestAt: NOW - 36_000_000, isOnSameDisk: false, hasTools: true },
    mailDomain: { hasSpf: true, hasDmarc: true },
    redis: { problem: undefined },
    googleKeyFile: { mode: 0o600, isServiceAccount: true },
    ...rest,
    database: isReplaced ? database : { ...DATABASE, ...database },
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
