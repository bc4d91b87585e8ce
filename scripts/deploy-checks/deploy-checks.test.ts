import { createECDH } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { DeploymentChanges } from "../../tests/factories/deployment";
import { deployment, superadmin } from "../../tests/factories/deployment";
import { readPackage } from "./file-facts";
import { deployChecks, checkDeployment, formatFindings } from "./deploy-checks";

type Row = [id: string, when: string, changes: DeploymentChanges, sentence: string];

const respond = (plainHttp: { status: number; location: string }) => ({ status: 200, plainHttp });
const PLAIN = { status: 200, location: "" };
const DATABASE_URL = "postgres://frontdesk:x@db.confer.dev/frontdesk";
const folder = { path: "/var/lib/frontdesk", fileSystem: "ext4", openToOthers: [], free: 50_000_000_000 };
const backups = { folder: "/mnt/backups", newestAt: 1, isOnSameDisk: false, hasTools: true };
const secret = (text: string) => text.repeat(60).slice(0, 60);
const known = ["0001-accounts", "0002-submissions"];
/** Keys of the right lengths that do not belong together. */
const VAPID_PRIVATE_KEY = Buffer.alloc(32, 1).toString("base64url");
const VAPID_PUBLIC_KEY = Buffer.alloc(65, 4).toString("base64url");

const rows: Row[] = [
  ["origin-set", "it is not set", { settings: { ORIGIN: "", SMTP_URL: "smtp://127.0.0.1" } }, "Set ORIGIN"],
  ["origin-https", "it begins with http", { settings: { ORIGIN: "http://launch.confer.dev" } }, "https"],
  ["cookie-secure", "it is not Secure", { sessionCookie: "sid=x; Path=/; HttpOnly" }, "plain http"],
  ["cookie-secure", "it is not bound to the host", { sessionCookie: "sid=x; Path=/; Secure" }, "plain http"],
  ["origin-answers", "nothing responds", { originResponse: { problem: "ECONNREFUSED" } }, "ECONNREFUSED"],
  ["origin-answers", "the proxy changes Host", { originResponse: { status: 421 } }, "keep Host"],
  ["http-redirected", "http shows a page", { originResponse: respond(PLAIN) }, "redirect it"],
  [
    "http-redirected",
    "http leads elsewhere",
    { originResponse: respond({ status: 301, location: "https://launch.confer.dev.evil.dev/" }) },
    "redirect it",
  ],
  ["proxy-trust", "no proxy is trusted", { settings: { TRUST_PROXY: "0" } }, "Set TRUST_PROXY"],
  ["listen-address", "the port is open to all", { settings: { HOST: "" } }, "HOST=127.0.0.1"],
  [
    "session-secret",
    "it is short",
    { settings: { SESSION_SECRET: secret("abcdef").slice(0, 49) } },
    "50 characters",
  ],
  ["session-secret", "it has few different characters", { settings: { SESSION_SECRET: secret("abcd") } }, "5 different"],
  ["form-secret", "it is short", { settings: { FORM_SECRET: secret("abcdef").slice(0, 49) } }, "50 characters"],
  ["form-secret", "it has few different characters", { settings: { FORM_SECRET: secret("a") } }, "5 different"],
  [
    "form-secret",
    "it equals another secret",
    { settings: { SESSION_SECRET: secret("abcdef"), FORM_SECRET: secret("abcdef") } },
    "the same as SESSION_SECRET",
  ],
  ["bounce-secret", "it has few different characters", { settings: { BOUNCE_WEBHOOK_SECRET: secret("0") } }, "5 different"],
  ["metrics-token", "it has few different characters", { settings: { METRICS_TOKEN: secret("0") } }, "5 different"],
  [
    "metrics-token",
    "it equals another secret",
    { settings: { BOUNCE_WEBHOOK_SECRET: secret("abcdef"), METRICS_TOKEN: secret("abcdef") } },
    "the same as BOUNCE_WEBHOOK_SECRET",
  ],
  ["push-keys", "they do not belong together", { settings: { VAPID_PRIVATE_KEY, VAPID_PUBLIC_KEY } }, "belong"],
  ["google-key-file", "it is missing", { googleKeyFile: undefined }, "cannot be read"],
  [
    "google-key-file",
    "others can read it",
    { googleKeyFile: { mode: 0o644, isServiceAccount: true } },
    "644",
  ],
  [
    "google-key-file",
    "it is another file",
    { googleKeyFile: { mode: 0o600, isServiceAccount: false } },
    "no service account",
  ],
  ["env-file", "others can read it", { program: { envFileMode: 0o640 } }, "chmod 600 .env"],
  [
    "superadmin-password",
    "it is the temporary one",
    { database: { accounts: [{ ...superadmin, hasTemporaryPassword: true }] } },
    "first password",
  ],
  [
    "superadmin-password",
    "it is SUPERADMIN_PASSWORD",
    { database: { accounts: [superadmin, { ...superadmin, hasEnvironmentPassword: true }] } },
    "first password",
  ],
  [
    "superadmin-address",
    "it is the default",
    { database: { accounts: [{ ...superadmin, email: "superadmin@example.com" }] } },
    "superadmin@example.com",
  ],
  ["first-password", "it is still set", { settings: { SUPERADMIN_PASSWORD: "a first one" } }, "Take"],
  [
    "two-factor",
    "a superadmin has no second factor",
    {
      settings: { REQUIRE_2FA: "" },
      database: { accounts: [superadmin, { ...superadmin, email: "bo@confer.dev", hasSecondFactor: false }] },
    },
    "lets in bo@confer.dev.",
  ],
  ["password-length", "6 characters are allowed", { settings: { PASSWORD_MIN_LENGTH: "6" } }, "8 or more"],
  [
    "database-answers",
    "it cannot be opened",
    { database: { kind: "unreachable", problem: "ECONNREFUSED" } },
    "ECONNREFUSED",
  ],
  ["database-writable", "it is read-only", { database: { writeProblem: "readonly database" } }, "readonly"],
  ["database-version", "it is newer", { database: { applied: [...known, "9999-later"] } }, "9999-later"],
  ["migrations", "one is pending", { database: { applied: ["0001-accounts"] } }, "up to 0002-submissions"],
  ["database-disk", "it is on NFS", { dataFolder: { ...folder, fileSystem: "nfs4" } }, "lies on nfs4"],
  ["database-disk", "it is on FUSE", { dataFolder: { ...folder, fileSystem: "fuse.sshfs" } }, "fuse.sshfs"],
  ["database-disk", "it is on CIFS", { dataFolder: { ...folder, fileSystem: "cifs" } }, "cifs"],
  ["data-lasts", "it is lost with the container", { dataFolder: { ...folder, fileSystem: "overlay" } }, "volume"],
  [
    "file-modes",
    "others can read the database",
    { dataFolder: { ...folder, openToOthers: [{ path: "/d/frontdesk.db", mode: 0o644 }] } },
    "/d/frontdesk.db, mode 644",
  ],
  ["disk-space", "it is low", { dataFolder: { ...folder, free: 50_000_000 } }, "Only 48 MB"],
  ["log-room", "the log may fill it", { settings: { LOG_KEEP_MB: "60000" } }, "LOG_KEEP_MB"],
  ["one-instance", "there are two", { database: { instances: ["a:3000", "b:3000"] } }, "a:3000 and b:3000"],
  ["database-tls", "another machine is reached in plain text", { settings: { DATABASE_URL } }, "sslmode=verify-full"],
  ["backup-age", "there is no backup", { backups: { ...backups, newestAt: undefined } }, "npm run backup"],
  [
    "backup-age",
    "it is old",
    { backups: { ...backups, newestAt: Date.parse("2026-11-20T11:59Z") } },
    "2 days",
  ],
  ["backup-disk", "it is the disk of the data", { backups: { ...backups, isOnSameDisk: true } }, "elsewhere"],
  [
    "backup-tools",
    "pg_dump is missing",
    { settings: { DATABASE_URL }, backups: { ...backups, hasTools: false } },
    "pg_dump",
  ],
  ["mail-driver", "it is the outbox", { settings: { MAIL_DRIVER: "outbox" } }, "reaches nobody"],
  [
    "smtp-tls",
    "it is off",
    { settings: { SMTP_URL: "smtp://mail.confer.dev?tls=off" } },
    "Take ?tls=off out",
  ],
  [
    "mail-from",
    "it is an example address",
    { settings: { MAIL_FROM: "hello@example.com", SMTP_URL: "smtp://127.0.0.1" } },
    "Set MAIL_FROM",
  ],
  ["mail-domain", "it is another domain", { settings: { MAIL_FROM: "hello@elsewhere.dev" } }, "forgery"],
  ["postal-address", "it is empty", { settings: { POSTAL_ADDRESS: " " } }, "Set POSTAL_ADDRESS"],
  ["mail-spf", "it is missing", { mailDomain: { hasSpf: false, hasDmarc: true } }, "v=spf1"],
  ["mail-dmarc", "it is missing", { mailDomain: { hasSpf: true, hasDmarc: false } }, "_dmarc.confer.dev"],
  ["node-version", "it is not the pinned one", { program: { node: "24.0.0" } }, "24.21.0"],
  ["node-support", "it has ended", { now: Date.parse("2028-05-01") }, "2028-04-30"],
  ["node-support", "there never was any", { program: { node: "25.1.0" } }, "no long-term support"],
  ["overrides", "one is not followed", { program: { overridesMissing: ["rollup 4.67.4"] } }, "rollup 4.67.4"],
  [
    "clock",
    "it is behind",
    { originResponse: { status: 200, clockAheadMs: 61_000 } },
    "61 s behind ORIGIN's",
  ],
  ["clock", "it is ahead", { database: { clockAheadMs: -90_000 } }, "90 s ahead of PostgreSQL's"],
  ["open-files", "the limit is low", { program: { openFiles: 1024 } }, "ulimit -n 4096"],
  ["node-env", "it is development", { settings: { NODE_ENV: "development" } }, "NODE_ENV=development"],
  ["build", "it is missing", { program: { build: "missing" } }, "There is no build"],
  ["build", "it is old", { program: { build: "stale" } }, "older than its sources"],
  ["not-root", "it is root", { program: { isRoot: true } }, "a user of its own"],
  ["log-level", "it is debug", { settings: { LOG_LEVEL: "debug" } }, "LOG_LEVEL=info"],
  ["log-level", "it is silent", { settings: { LOG_LEVEL: "silent" } }, "hides"],
  ["redis-answers", "it cannot be reached", { redis: { problem: "ECONNREFUSED" } }, "ECONNREFUSED"],
  [
    "unused-settings",
    "Firebase is configured and not selected",
    { settings: { FIREBASE_PROJECT_ID: "launch-1a2b3" } },
    "FIREBASE_PROJECT_ID is set and without effect",
  ],
  [
    "unused-settings",
    "the platform is configured and not selected",
    { settings: { PLATFORM_API_URL: "https://api.confer.dev" } },
    "choose a use",
  ],
];

it.each(rows)("%s reports a problem when %s (C34)", (id, _, changes, sentence) => {
  const finding = checkDeployment(deployment(changes)).find((each) => each.id === id);
  const severity = deployChecks.find((check) => check.id === id)?.severity;
  expect(finding).toEqual({ id, outcome: severity, sentence: expect.stringContaining(sentence) as string });
});

it("every check has a row above and a unique id, and there are 25 or more (C34)", () => {
  const ids = deployChecks.map(({ id }) => id);
  expect([...new Set(rows.map(([id]) => id))].sort()).toEqual(ids.toSorted());
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^[a-z]+(?:-[a-z0-9]+)*$/.test(id))).toEqual([]);
  expect(ids.length).toBeGreaterThanOrEqual(25);
});

it("a complete deployment passes every check, with SQLite and with PostgreSQL (C34)", () => {
  const url = `${DATABASE_URL}?sslmode=verify-full`;
  const postgres = { settings: { DATABASE_URL: url }, database: { clockAheadMs: 12 } };
  for (const changes of [{}, postgres]) {
    const failed = checkDeployment(deployment(changes)).filter(({ outcome }) =>
      /error|warning/.test(outcome),
    );
    expect(failed).toEqual([]);
  }
});

it("a matching pair of push keys passes (C34)", () => {
  const pair = createECDH("prime256v1");
  pair.generateKeys();
  const settings = {
    VAPID_PUBLIC_KEY: pair.getPublicKey("base64url"),
    VAPID_PRIVATE_KEY: Buffer.from(pair.getPrivateKey("hex").padStart(64, "0"), "hex").toString("base64url"),
  };
  const finding = checkDeployment(deployment({ settings })).find(({ id }) => id === "push-keys");
  expect(finding?.outcome).toBe("ok");
});

it("the Node that package.json pins has long-term support (C34)", () => {
  const { pinnedNode } = readPackage(".");
  const findings = checkDeployment(deployment({ program: { node: pinnedNode, pinnedNode } }));
  expect(findings.find(({ id }) => id === "node-support")?.outcome).toBe("ok");
});

it("before the first start the checks of the database do not apply (C34)", () => {
  const findings = checkDeployment(deployment({ database: { kind: "none" } }));
  expect(findings.filter(({ outcome }) => outcome === "error")).toEqual([]);
  const skipped = findings.filter(({ outcome }) => outcome === "not applicable").map(({ id }) => id);
  expect(skipped).toEqual(expect.arrayContaining(["database-answers", "migrations", "superadmin-password"]));
});

it("the table lists each check with what to do, and at its end the errors and the warnings (C34)", () => {
  const changes = { settings: { MAIL_DRIVER: "outbox", TRUST_PROXY: "0", PASSWORD_MIN_LENGTH: "6" } };
  const lines = formatFindings(checkDeployment(deployment(changes))).split("\n");
  expect(lines.slice(-3)).toEqual([
    "",
    "1 error: mail-driver.",
    "3 warnings: proxy-trust, password-length, unused-settings.",
  ]);
  expect(lines).toContainEqual(expect.stringMatching(/^mail-driver +error +Set MAIL_DRIVER/));
  expect(lines.slice(0, -3)).toHaveLength(deployChecks.length);
});

it("docs/operations.md has the same checks with the same severity, in the same order (C34)", () => {
  const page = readFileSync("docs/operations.md", "utf8");
  const [, section = ""] = page.split("## Before going live");
  const listed = [...(section.split("\n## ")[0] ?? "").matchAll(/^\| `([a-z0-9-]+)` +\| (\w+) /gm)];
  expect(listed.map(([, id, severity]) => ({ id, severity }))).toEqual(
    deployChecks.map(({ id, severity }) => ({ id, severity })),
  );
});
