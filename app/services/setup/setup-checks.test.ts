import { createECDH } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { deployment, superadmin, type DeploymentChanges } from "../../../tests/factories/deployment";
import { readPackage } from "./file-facts.server";
import { setupChecks, checkSetup } from "./setup-checks";
import { getCheckedSettings } from "./setup-records.server";

type Row = [name: string, sentence: string, changes: DeploymentChanges];

const respond = (plainHttp: { status: number; location: string }) => ({ status: 200, plainHttp });
const PLAIN = { status: 200, location: "" };
const DATABASE_URL = "postgres://frontdesk:x@db.confer.dev/frontdesk";
const folder = { path: "/var/lib/frontdesk", fileSystem: "ext4", openToOthers: [], free: 50_000_000_000 };
const { backups } = deployment();
const secret = (text: string) => text.repeat(60).slice(0, 60);
/** Keys of the right lengths that do not belong together. */
const VAPID_PRIVATE_KEY = Buffer.alloc(32, 1).toString("base64url");
const VAPID_PUBLIC_KEY = Buffer.alloc(65, 4).toString("base64url");
const PLATFORM = { PLATFORM_API_URL: "https://api.confer.dev", PLATFORM_API_TOKEN: "x".repeat(32) };
const FIREBASE = {
  PUSH_DRIVER: "fcm",
  FIREBASE_PROJECT_ID: "confer",
  FIREBASE_API_KEY: "x".repeat(39),
  FIREBASE_APP_ID: "1:12345:web:1",
  FIREBASE_SENDER_ID: "12345",
  FIREBASE_VAPID_KEY: VAPID_PUBLIC_KEY,
  GOOGLE_APPLICATION_CREDENTIALS: "/etc/key.json",
};

const rows: Row[] = [
  ["origin-set", "Set ORIGIN", { settings: { ORIGIN: "", SMTP_URL: "smtp://127.0.0.1" } }],
  ["origin-https", "Set ORIGIN to an https address", { settings: { ORIGIN: "http://launch.confer.dev" } }],
  ["cookie-secure", "plain http", { sessionCookie: "sid=x; Path=/; HttpOnly" }],
  ["cookie-secure", "plain http", { sessionCookie: "sid=x; Path=/; Secure" }],
  ["origin-answers", "ECONNREFUSED", { originResponse: { problem: "ECONNREFUSED" } }],
  ["origin-answers", "keep the Host header", { originResponse: { status: 421 } }],
  ["http-redirected", "redirect it", { originResponse: respond(PLAIN) }],
  [
    "http-redirected",
    "redirect it",
    { originResponse: respond({ status: 301, location: "https://launch.confer.dev.evil.dev/" }) },
  ],
  ["proxy-trust", "Set TRUST_PROXY", { settings: { TRUST_PROXY: "0" } }],
  ["listen-address", "set HOST=127.0.0.1", { settings: { HOST: "" } }],
  ["listen-address", "do not publish it", { settings: { HOST: "" }, program: { isInContainer: true } }],
  [
    "listen-address",
    "leave HOST empty",
    { settings: { HOST: "127.0.0.1" }, program: { isInContainer: true } },
  ],
  ["brand-name", 'the example\'s, "Confer"', { settings: { BRAND_NAME: "" } }],
  ["contact-address", "hello@example.com", { settings: { CONTACT_EMAIL: "" } }],
  [
    "social-links",
    "https://www.linkedin.com/company/confer, https://twitter.com/confer, https://www.instagram.com/confer are",
    { settings: { SOCIAL_LINKEDIN: "", SOCIAL_TWITTER: "", SOCIAL_INSTAGRAM: "" } },
  ],
  [
    "social-links",
    "Set SOCIAL_TWITTER to your own, or to none: https://social.example/me is",
    { settings: { SOCIAL_TWITTER: "https://social.example/me" } },
  ],
  ["privacy-url", "Set PRIVACY_URL", { settings: { PRIVACY_URL: "" } }],
  ["session-secret", "5 different", { settings: { SESSION_SECRET: secret("abcd") } }],
  ["form-secret", "5 different", { settings: { FORM_SECRET: secret("a") } }],
  [
    "form-secret",
    "the same as SESSION_SECRET",
    { settings: { SESSION_SECRET: secret("abcdef"), FORM_SECRET: secret("abcdef") } },
  ],
  ["bounce-secret", "5 different", { settings: { BOUNCE_WEBHOOK_SECRET: secret("0") } }],
  ["metrics-token", "5 different", { settings: { METRICS_TOKEN: secret("0") } }],
  [
    "metrics-token",
    "the same as BOUNCE_WEBHOOK_SECRET",
    { settings: { BOUNCE_WEBHOOK_SECRET: secret("abcdef"), METRICS_TOKEN: secret("abcdef") } },
  ],
  ["push-keys", "does not match VAPID_PRIVATE_KEY", { settings: { VAPID_PRIVATE_KEY, VAPID_PUBLIC_KEY } }],
  ["google-key-file", "cannot be read", { googleKeyFile: undefined }],
  ["google-key-file", "mode 644", { googleKeyFile: { mode: 0o644, isServiceAccount: true } }],
  ["google-key-file", "not a service account", { googleKeyFile: { mode: 0o600, isServiceAccount: false } }],
  ["env-file", "chmod 600 .env", { program: { envFileMode: 0o640 } }],
  [
    "superadmin-password",
    "its first password",
    { database: { accounts: [{ ...superadmin, hasTemporaryPassword: true }] } },
  ],
  [
    "superadmin-password",
    "its first password",
    { database: { accounts: [superadmin, { ...superadmin, hasEnvironmentPassword: true }] } },
  ],
  [
    "superadmin-address",
    "superadmin@example.com",
    { database: { accounts: [{ ...superadmin, email: "superadmin@example.com" }] } },
  ],
  ["first-password", "Remove SUPERADMIN_PASSWORD", { settings: { SUPERADMIN_PASSWORD: "a first one" } }],
  [
    "two-factor",
    "to log in as bo@confer.dev.",
    {
      settings: { REQUIRE_2FA: "" },
      database: { accounts: [superadmin, { ...superadmin, email: "bo@confer.dev", hasSecondFactor: false }] },
    },
  ],
  ["password-length", "8 or more", { settings: { PASSWORD_MIN_LENGTH: "6" } }],
  ["database-answers", "ECONNREFUSED", { database: { kind: "unreachable", problem: "ECONNREFUSED" } }],
  ["database-writable", "readonly database", { database: { writeProblem: "readonly database" } }],
  ["migrations", "to 0002-submissions", { database: { applied: ["0001-accounts"] } }],
  ["data-lasts", "mount a volume", { dataFolder: { ...folder, fileSystem: "overlay" } }],
  [
    "file-modes",
    "/d/frontdesk.db (mode 644)",
    { dataFolder: { ...folder, openToOthers: [{ path: "/d/frontdesk.db", mode: 0o644 }] } },
  ],
  ["disk-space", "Only 48 MB", { dataFolder: { ...folder, free: 50_000_000 } }],
  ["log-room", "lower LOG_KEEP_MB", { settings: { LOG_KEEP_MB: "60000" } }],
  ["one-instance", "a:3000 and b:3000", { database: { instances: ["a:3000", "b:3000"] } }],
  [
    "database-connections",
    "2 instances with DATABASE_POOL=12 may use 26 connections, and its role allows 20:",
    {
      settings: { DATABASE_URL },
      database: { instances: ["a:3000", "b:3000"], connectionLimit: { allowed: 20, setBy: "its role" } },
    },
  ],
  ["one-instance", "the name a:3000", { database: { sharedNames: ["a:3000"] } }],
  ["one-instance", "the name a:3000", { settings: { DATABASE_URL }, database: { sharedNames: ["a:3000"] } }],
  [
    "search-parts",
    "only the start of words",
    { settings: { DATABASE_URL }, database: { findsParts: false } },
  ],
  [
    "log-room",
    "may grow by 34 MB",
    { dataFolder: { ...folder, free: 60e6 }, database: { logBytes: 1047e6 } },
  ],
  ["database-tls", "sslmode=verify-full", { settings: { DATABASE_URL } }],
  ["database-tls", "sslmode=verify-full", { settings: { DATABASE_URL: "postgres:///f?host=db.confer.dev" } }],
  [
    "database-tls",
    "sslmode=verify-full",
    { settings: { DATABASE_URL: `${DATABASE_URL}?sslmode=no-verify` } },
  ],
  ["backup-age", "npm run backup", { backups: { ...backups, newestAt: undefined } }],
  [
    "backup-age",
    "npm run backup",
    {
      backups: { ...backups, newestAt: undefined },
      database: { kind: "unreachable", problem: "ECONNREFUSED" },
    },
  ],
  ["backup-age", "2 days", { backups: { ...backups, newestAt: Date.parse("2026-11-20T11:59Z") } }],
  ["backup-disk", "copy backups elsewhere", { backups: { ...backups, isOnSameDisk: true } }],
  [
    "backup-tools",
    "pg_dump is not installed",
    { settings: { DATABASE_URL }, backups: { ...backups, hasTools: false } },
  ],
  ["invite-url", "cannot open localhost:5000", { settings: { INVITE_URL: "http://localhost:5000/{code}" } }],
  ["invite-url", "is this server", { settings: { INVITE_URL: "https://launch.confer.dev/join/{code}" } }],
  ["mail-driver", "reaches nobody", { settings: { MAIL_DRIVER: "outbox" } }],
  ["smtp-tls", "Remove ?tls=off", { settings: { SMTP_URL: "smtp://mail.confer.dev?tls=off" } }],
  [
    "mail-from",
    "Set MAIL_FROM",
    { settings: { MAIL_FROM: "hello@example.com", SMTP_URL: "smtp://127.0.0.1" } },
  ],
  ["mail-domain", "treat them as forged", { settings: { MAIL_FROM: "hello@elsewhere.dev" } }],
  [
    "double-opt-in",
    "nobody gets the email to confirm with",
    { settings: { DOUBLE_OPT_IN: "all", MAIL_DRIVER: "outbox" } },
  ],
  ["postal-address", "Set POSTAL_ADDRESS", { settings: { POSTAL_ADDRESS: " " } }],
  ["mail-spf", "v=spf1", { mailDomain: { hasSpf: false, hasDmarc: true } }],
  ["mail-dmarc", "_dmarc.confer.dev", { mailDomain: { hasSpf: true, hasDmarc: false } }],
  ["node-version", "24.21.0", { program: { node: "24.0.0" } }],
  ["node-support", "2028-04-30", { now: Date.parse("2028-05-01") }],
  ["node-support", "no long-term support", { program: { node: "25.1.0" } }],
  ["overrides", "rollup 4.67.4", { program: { overridesMissing: ["rollup 4.67.4"] } }],
  ["clock", "61 s behind ORIGIN's", { originResponse: { status: 200, clockAheadMs: 61_000 } }],
  ["clock", "90 s ahead of PostgreSQL's", { database: { clockAheadMs: -90_000 } }],
  ["open-files", "ulimit -n 4096", { program: { openFiles: 1024 } }],
  ["node-env", "NODE_ENV=development", { settings: { NODE_ENV: "development" } }],
  ["build", "There is no build", { program: { build: "missing" } }],
  ["build", "older than the sources", { program: { build: "stale" } }],
  ["not-root", "as its own user", { program: { isRoot: true } }],
  ["log-level", "LOG_LEVEL=info", { settings: { LOG_LEVEL: "debug" } }],
  ["log-level", "hides requests and warnings", { settings: { LOG_LEVEL: "silent" } }],
  ["redis-answers", "ECONNREFUSED", { redis: { problem: "ECONNREFUSED" } }],
  [
    "unused-settings",
    "FIREBASE_PROJECT_ID is set but has no effect",
    { settings: { FIREBASE_PROJECT_ID: "launch-1a2b3" } },
  ],
  [
    "unused-settings",
    "FIREBASE_PROXY is set but has no effect",
    { settings: { FIREBASE_PROXY: "http://proxy.confer.dev:3128" } },
  ],
  [
    "unused-settings",
    "use the platform for something",
    { settings: { PLATFORM_API_URL: "https://api.confer.dev" } },
  ],
];

// C34
it.each(rows)('%s reports a problem: "%s"', (name, sentence, changes) => {
  const result = checkSetup(deployment(changes)).find((each) => each.name === name);
  const check = setupChecks.find((each) => each.name === name);
  const why = expect.stringContaining(sentence) as string;
  expect(result).toEqual({ name, settings: check?.settings, state: check?.severity, why });
});

// C34
it("a mail server on this machine needs no TLS, whether its URL says so or not", () => {
  const getStates = (SMTP_URL: string) =>
    checkSetup(deployment({ settings: { SMTP_URL } })).filter(({ name }) => name === "smtp-tls");
  const url = "smtp://localhost:25";
  expect(getStates(`${url}?tls=off`)).toEqual(getStates(url));
  expect(getStates(url)).toMatchObject([{ state: "ok" }]);
});

// C34
it("every check has a row above and a unique id, and there are 25 or more", () => {
  const ids = setupChecks.map(({ name }) => name);
  expect([...new Set(rows.map(([name]) => name))].sort()).toEqual(ids.toSorted());
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^[a-z]+(?:-[a-z0-9]+)*$/.test(id))).toEqual([]);
  expect(ids.length).toBeGreaterThanOrEqual(25);
});

// C34
it("slow results are forgotten with each setting that decides them", () => {
  const { settings } = deployment();
  const names = setupChecks.flatMap((check) => (check.isQuick ? [] : check.settings));
  const change = (name: string) => ({ ...settings, [name]: "https://elsewhere.dev" });
  const before = getCheckedSettings(settings);
  expect(names.filter((name) => getCheckedSettings(change(name)) === before)).toEqual([]);
});

// C34
it.each([
  ["SMTP_URL", "smtp://ada:one@mail.confer.dev?tls=off", "smtp://ada:one@mail.confer.dev"],
  ["SMTP_URL", "smtp://ada:one@mail.confer.dev", "smtps://ada:one@mail.confer.dev"],
  ["SMTP_URL", "smtp://ada:one@mail.confer.dev", "smtp://grace:one@mail.confer.dev"],
  ["REDIS_URL", "redis://cache.confer.dev/1", "redis://cache.confer.dev/2"],
  ["DATABASE_URL", `${DATABASE_URL}?sslmode=require`, `${DATABASE_URL}?sslmode=verify-full`],
])("slow results are forgotten when a part of %s changes: %s", (name, before, after) => {
  const getSettings = (value: string) =>
    getCheckedSettings(deployment({ settings: { [name]: value, MAIL_DRIVER: "smtp" } }).settings);
  expect(getSettings(after)).not.toBe(getSettings(before));
});

// C34
it("settings of slow results hold no password", () => {
  const settings = {
    MAIL_DRIVER: "smtp",
    SMTP_URL: "smtp://ada:hidden@mail.confer.dev",
    REDIS_URL: "redis://:hidden@cache.confer.dev",
    DATABASE_URL: "postgres://ada@db.confer.dev/frontdesk?password=hidden",
  } as const;
  expect(getCheckedSettings(deployment({ settings }).settings)).not.toContain("hidden");
});

// C34
it("slow results are shared by instances on one PostgreSQL", () => {
  const getSettings = (PORT: string, DATA_DIR: string) =>
    getCheckedSettings(deployment({ settings: { DATABASE_URL, PORT, DATA_DIR } }).settings);
  expect(getSettings("3001", "/var/lib/frontdesk-1")).toBe(getSettings("3002", "/var/lib/frontdesk-2"));
});

// C34
it("a complete deployment passes every check, with SQLite and with PostgreSQL", () => {
  const url = `${DATABASE_URL}?sslmode=verify-full`;
  const postgres = { settings: { DATABASE_URL: url }, database: { clockAheadMs: 12, findsParts: true } };
  for (const changes of [{}, postgres]) {
    const failed = checkSetup(deployment(changes)).filter(({ state }) => /error|warning/.test(state));
    expect(failed).toEqual([]);
  }
});

// C34
it.each([
  ["smtp", {}, "is the sender of emails and the contact for push services."],
  ["gmail", { GOOGLE_APPLICATION_CREDENTIALS: "/etc/key.json" }, "is the contact for push services."],
  ["platform", PLATFORM, "is the contact for push services."],
  ["smtp", FIREBASE, "is the sender of emails."],
])("what MAIL_FROM is with MAIL_DRIVER=%s", (MAIL_DRIVER, more, use) => {
  const settings = { ...more, MAIL_DRIVER, MAIL_FROM: "hello@confer.dev" };
  const finding = checkSetup(deployment({ settings })).find(({ name }) => name === "mail-from");
  expect(finding).toMatchObject({ state: "ok", why: `hello@confer.dev ${use}` });
});

// C34
it("names the DMARC record that was found", () => {
  const settings = { MAIL_FROM: "hello@mail.confer.dev" };
  const mailDomain = { hasSpf: true, hasDmarc: true, dmarcDomain: "confer.dev" };
  const finding = checkSetup(deployment({ settings, mailDomain })).find(({ name }) => name === "mail-dmarc");
  expect(finding?.why).toBe("There is a TXT record of _dmarc.confer.dev with v=DMARC1.");
});

// C34
it.each<Row>([
  [
    "http-redirected",
    "ORIGIN has a port of its own.",
    { settings: { ORIGIN: "https://launch.confer.dev:8443" }, originResponse: { status: 200 } },
  ],
  ["data-lasts", "The file system is unknown.", { dataFolder: { ...folder, fileSystem: undefined } }],
  ["backup-disk", "The disk of PostgreSQL is unknown.", { settings: { DATABASE_URL } }],
  [
    "backup-disk",
    "The folder of the backups is out of reach.",
    { backups: { ...backups, isOnSameDisk: undefined } },
  ],
  ["backup-disk", "There is no backup.", { backups: { ...backups, newestAt: undefined } }],
  [
    "backup-age",
    "There is nothing to back up yet.",
    { backups: { ...backups, newestAt: undefined }, database: { kind: "none" } },
  ],
  [
    "mail-from",
    "MAIL_FROM is neither the sender nor a contact.",
    { settings: { ...PLATFORM, ...FIREBASE, MAIL_DRIVER: "platform" } },
  ],
])('%s does not apply: "%s"', (name, why, changes) => {
  const result = checkSetup(deployment(changes)).find((each) => each.name === name);
  expect(result).toMatchObject({ state: "not applicable", why });
});

// C34
it.each([
  "postgres://db.confer.dev/f?ssl=true",
  "postgres://db.confer.dev/f?sslmode=prefer",
  "postgres://db.confer.dev/f?sslrootcert=/etc/ca.pem",
  "postgres:///f?host=/var/run/postgresql",
])("the connection of %s is secure", (DATABASE_URL) => {
  const changes = { settings: { DATABASE_URL } };
  const result = checkSetup(deployment(changes)).find(({ name }) => name === "database-tls");
  expect(result?.state).toBe("ok");
});

// C34
it("an unreachable database hides no old backup", () => {
  const database = { kind: "unreachable", problem: "ECONNREFUSED" } as const;
  const result = checkSetup(deployment({ database })).find(({ name }) => name === "backup-age");
  expect(result).toMatchObject({ state: "ok", why: "The newest backup was taken 10 hours ago." });
});

// C34
it("a log that has grown already needs only the rest of its room", () => {
  const database = { logBytes: 1024 * 1024 * 1024 };
  const dataFolder = { ...folder, free: 200_000_000 };
  const result = checkSetup(deployment({ database, dataFolder })).find(({ name }) => name === "log-room");
  expect(result?.state).toBe("ok");
});

// C34
it("a matching pair of push keys passes", () => {
  const pair = createECDH("prime256v1");
  pair.generateKeys();
  const settings = {
    VAPID_PUBLIC_KEY: pair.getPublicKey("base64url"),
    VAPID_PRIVATE_KEY: Buffer.from(pair.getPrivateKey("hex").padStart(64, "0"), "hex").toString("base64url"),
  };
  const finding = checkSetup(deployment({ settings })).find(({ name }) => name === "push-keys");
  expect(finding?.state).toBe("ok");
});

// C34
it("the Node that package.json pins has long-term support", () => {
  const { pinnedNode } = readPackage(".");
  const findings = checkSetup(deployment({ program: { node: pinnedNode, pinnedNode } }));
  expect(findings.find(({ name }) => name === "node-support")?.state).toBe("ok");
});

// C34
it("before the first start the checks of the database do not apply", () => {
  const findings = checkSetup(deployment({ database: { kind: "none" } }));
  expect(findings.filter(({ state }) => state === "error")).toEqual([]);
  const skipped = findings.filter(({ state }) => state === "not applicable").map(({ name }) => name);
  expect(skipped).toEqual(expect.arrayContaining(["database-answers", "migrations", "superadmin-password"]));
});

// C34
it("docs/operations.md has the same checks with the same severity, in the same order", () => {
  const page = readFileSync("docs/operations.md", "utf8");
  const [, section = ""] = page.split("## Before going live");
  const listed = [...(section.split("\n## ")[0] ?? "").matchAll(/^\| `([a-z0-9-]+)` +\| (\w+) /gm)];
  expect(listed.map(([, id, severity]) => ({ id, severity }))).toEqual(
    setupChecks.map(({ name, severity }) => ({ id: name, severity })),
  );
});
