import { closeSync, fstatSync, ftruncateSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { EnvironmentError } from "../app/env.server.ts";
import { fail, openSettingsDatabase, readSettings } from "./command.ts";

/**
 * npm run accounts -- import [--dry-run]: imports accounts listed elsewhere, each with a temporary password
 * (docs/platform.md, docs/google.md).
 *
 * npm run accounts -- reset ADDRESS: gives any account a new temporary password, the only superadmin's included;
 * reset-2fa ADDRESS turns its two-factor login off (docs/operations.md).
 *
 * The server may be running.
 */
const { csvLine } = await import("../app/lib/csv.ts");
const { UpstreamError } = await import("../app/lib/upstream-error.ts");
const { newId } = await import("../app/services/service-deps.ts");
const { Argon2PasswordHasher } =
  await import("../app/services/accounts/drivers/argon2-password-hasher.server.ts");
const { importAccounts } = await import("../app/services/accounts/import-accounts.server.ts");
const { createAccountReset } = await import("../app/services/accounts/reset-account.server.ts");
const { EndpointAccountSource } =
  await import("../app/services/accounts/drivers/endpoint-account-source.server.ts");
const { SheetAccountSource } =
  await import("../app/services/accounts/drivers/sheet-account-source.server.ts");
const { createSheetReader } = await import("../app/services/composition/google.server.ts");

const USAGE = [
  "Usage: npm run accounts -- import [--dry-run]",
  "       npm run accounts -- reset ADDRESS        prints a new temporary password",
  "       npm run accounts -- reset-2fa ADDRESS    turns two-factor login off",
].join("\n");

type AccountReset = ReturnType<typeof createAccountReset>;
type Unknown = Extract<Awaited<ReturnType<AccountReset["resetPassword"]>>, { ok: false }>;

const [command, argument, ...more] = process.argv.slice(2);
if (more.length > 0) fail(USAGE);
if (command === "import" && (argument === undefined || argument === "--dry-run")) {
  await importListed(argument === "--dry-run");
} else if (command === "reset" && argument !== undefined) {
  await withAccountReset((reset) => resetPassword(reset, argument));
} else if (command === "reset-2fa" && argument !== undefined) {
  await withAccountReset((reset) => resetSecondFactor(reset, argument));
} else fail(USAGE);

async function importListed(isDryRun: boolean): Promise<void> {
  const environment = readSettings();
  const source = await openSource(environment).catch((error: unknown) => {
    if (error instanceof EnvironmentError) fail(error.message);
    throw error;
  });
  if (!source)
    fail("ACCOUNT_ENDPOINT_URL or ACCOUNT_SHEET_ID: is needed to import accounts. Nothing was imported.");
  const database = await openSettingsDatabase(environment);
  const deps = { database, hasher: new Argon2PasswordHasher(), clock: Date.now, newId };
  const path = join(
    environment.DATA_DIR,
    `temporary-passwords-${new Date().toISOString().replaceAll(":", "")}.csv`,
  );
  let file: number | undefined;
  /** Writes a row of the password file, before the account is created. @returns what removes that row again. */
  const keep = (cells: string[]) => {
    const opened = (file ??= openSync(path, "ax", 0o600));
    const { size } = fstatSync(opened);
    if (size === 0) writeSync(opened, csvLine(["email", "full name", "temporary password"]));
    writeSync(opened, csvLine(cells));
    return () => ftruncateSync(opened, size);
  };
  try {
    const { added, known, twice, unusable, demoted } = await importAccounts(
      deps,
      source,
      isDryRun
        ? undefined
        : ({ email, fullName, temporaryPassword }) => keep([email, fullName, temporaryPassword]),
    );
    console.info(
      `${added} accounts ${isDryRun ? "would be" : "were"} created. ${known} already exist and stay as they are.`,
    );
    if (demoted > 0)
      console.info(`${demoted} superadmins were added as admins: superadmins are never imported.`);
    if (twice > 0) console.info(`${twice} were listed twice.`);
    if (unusable > 0) console.info(`${unusable} were skipped: their address is invalid.`);
    if (file !== undefined && added > 0) {
      console.info(
        `Their temporary passwords, valid for 24 hours, are in ${path}. Delete it once everybody has theirs.`,
      );
    }
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    process.stderr.write(
      `The accounts could not be read: ${[error.status, error.detail].filter(Boolean).join(" ")}. Nothing was imported.\n`,
    );
    process.exitCode = 1;
  } finally {
    if (file !== undefined) {
      // Each of its rows was removed again.
      if (fstatSync(file).size === 0) rmSync(path);
      closeSync(file);
    }
    await database.close();
  }
}

/** Opens the source of accounts to import. @throws EnvironmentError when no Google account may read the sheet. */
async function openSource(environment: ReturnType<typeof readSettings>) {
  const { ACCOUNT_ENDPOINT_URL: url, ACCOUNT_SHEET_ID: id } = environment;
  if (url !== undefined) return new EndpointAccountSource(url);
  if (id === undefined) return undefined;
  return new SheetAccountSource(
    await createSheetReader(environment, { id, variable: "ACCOUNT_SHEET_ID" }, Date.now),
  );
}

/** Runs a reset on the database of this environment. @param work returns the problem, if there is one. */
async function withAccountReset(work: (reset: AccountReset) => Promise<string | undefined>): Promise<void> {
  const database = await openSettingsDatabase(readSettings());
  const deps = { database, hasher: new Argon2PasswordHasher(), clock: Date.now, newId };
  const problem = await work(createAccountReset(deps)).finally(() => database.close());
  if (problem !== undefined) fail(problem);
}

async function resetPassword(reset: AccountReset, address: string): Promise<string | undefined> {
  const outcome = await reset.resetPassword(address);
  if (!outcome.ok) return sayUnknown(outcome, address);
  const { email, temporaryPassword, hasSecondFactor } = outcome;
  console.info(`\n  Email:    ${email}\n  Password: ${temporaryPassword}\n`);
  console.info(
    "Shown once. It works for 24 hours, until its owner chooses another. The account's sessions have ended.",
  );
  if (hasSecondFactor) {
    console.info(
      `Two-factor login stays on. Is the phone lost too? npm run accounts -- reset-2fa ${email} turns it off.`,
    );
  }
  return undefined;
}

async function resetSecondFactor(reset: AccountReset, address: string): Promise<string | undefined> {
  const outcome = await reset.resetSecondFactor(address);
  if (outcome.ok) {
    console.info(`Two-factor login of ${outcome.email} is off. The account's sessions have ended.`);
    return undefined;
  }
  return outcome.error === "off"
    ? `${outcome.email} has no two-factor login. Nothing was changed.`
    : sayUnknown(outcome, address);
}

function sayUnknown({ superadmins }: Unknown, address: string): string {
  return `No account has the address ${JSON.stringify(address)}. The superadmins are: ${superadmins.join(", ") || "none yet"}.`;
}
