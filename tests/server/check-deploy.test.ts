import { chmodSync, readFileSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { freePort } from "../../scripts/free-port.mjs";
import { testDatabase } from "../databases";
import { removeAfterTest } from "../fixture";
import { hasRedis, startRedis } from "../redis";
import { runNode } from "../run-node";
import { logIn, SUPERADMIN } from "../server-process";
import { sharedServer } from "./shared-server";
import { databaseFile } from "./visitors";

/** Runs `npm run check:deploy` (hardening C34) with exactly this environment. */
const checkDeploy = (environment: Record<string, string>) => {
  const { TEST_HASHING } = process.env;
  const args = ["--import=./tests/quick-hashing.mjs", "scripts/check-deploy.ts"];
  return runNode(args, { NODE_ENV: "production", TEST_HASHING, ...environment });
};

/** Returns the ids at the end, after "3 errors: " or "1 warning: ". */
const named = (said: string, what: "error" | "warning") =>
  (new RegExp(`^\\d+ ${what}s?(?:: (.+))?\\.$`, "m").exec(said)?.[1] ?? "").split(", ").filter(Boolean);

// C34
it("check:deploy ends with 1 and lists the errors of a server with default settings", async () => {
  const server = await sharedServer();
  chmodSync(databaseFile(server), 0o644);
  onTestFinished(() => chmodSync(databaseFile(server), 0o600));
  const { code, output: said } = await checkDeploy({
    DATA_DIR: server.dataDir,
    ORIGIN: server.origin,
    SUPERADMIN_PASSWORD: SUPERADMIN.password,
    SESSION_SECRET: "a".repeat(60),
    REDIS_URL: `redis://127.0.0.1:${await freePort()}`,
  });
  expect(code).toBe(1);
  expect(named(said, "error")).toEqual(
    expect.arrayContaining([
      "origin-https",
      "cookie-secure",
      "session-secret",
      "superadmin-password",
      "superadmin-address",
      "file-modes",
      "mail-driver",
      "mail-from",
      "redis-answers",
    ]),
  );
  expect(named(said, "warning")).toEqual(expect.arrayContaining(["first-password", "backup-age"]));
  const fine = [
    "origin-answers",
    "database-writable",
    "database-answers",
    "migrations",
    "clock",
    "overrides",
  ];
  expect(fine.filter((id) => !new RegExp(`^${id} +ok `, "m").test(said))).toEqual([]);
  expect(said).not.toContain(SUPERADMIN.password);
  await logIn(server);
});

// C34
it("check:deploy finds no error in the settings of a deployment, and names the warnings", async () => {
  const database = removeAfterTest(await testDatabase("postgres"));
  await (await database.open()).close();
  const redis = hasRedis ? removeAfterTest(await startRedis()) : undefined;
  const { output: said } = await checkDeploy({
    ...database.environment,
    ORIGIN: `https://127.0.0.1:${await freePort()}`,
    BRAND_NAME: "Launchpad",
    CONTACT_EMAIL: "hello@confer.dev",
    SOCIAL_LINKEDIN: "https://www.linkedin.com/company/launchpad",
    SOCIAL_TWITTER: "none",
    SOCIAL_INSTAGRAM: "none",
    TRUST_PROXY: "1",
    REQUIRE_2FA: "on",
    MAIL_DRIVER: "platform",
    MAIL_FROM: "hello@confer.dev",
    PLATFORM_API_URL: "http://127.0.0.1:9",
    PLATFORM_API_TOKEN: "token-of-a-test",
    ...(redis && { REDIS_URL: redis.url }),
  });
  // The mode of a .env is the checkout's, not of these settings.
  const errors = named(said, "error").filter((id) => id !== "env-file");
  expect(errors).toEqual([]);
  expect(named(said, "warning")).toEqual(
    expect.arrayContaining([
      "origin-answers",
      "listen-address",
      "privacy-url",
      "password-length",
      "postal-address",
    ]),
  );
});

// C34
it("check:deploy ends with the names of invalid settings", async () => {
  const { code, output: said } = await checkDeploy({ TRUST_PROXY: "many" });
  expect(code).toBe(1);
  expect(said).toMatch(/^The environment is not usable:\n {2}TRUST_PROXY: /);
});

// C34
it("npm run check:deploy runs that script with the settings of .env", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
  const { "check:deploy": check = "", backup = "" } = scripts;
  expect(check).toBe(backup.replace("scripts/backup.ts", "scripts/check-deploy.ts"));
});
