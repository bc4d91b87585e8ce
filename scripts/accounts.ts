import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { EnvironmentError } from "../app/env.server.ts";
import { fail, openSettingsDatabase, readSettings } from "./command.ts";

/**
 * npm run accounts -- import [--dry-run]: imports accounts listed elsewhere, each with a temporary password
 * (docs/platform.md, docs/google.md). The server may be running.
 */
const { csvLine } = await import("../app/lib/csv.ts");
const { UpstreamError } = await import("../app/lib/upstream-error.ts");
const { newId } = await import("../app/services/service-deps.ts");
const { Argon2PasswordHasher } =
  await import("../app/services/accounts/drivers/argon2-password-hasher.server.ts");
const { importAccounts } = await import("../app/services/accounts/import-accounts.server.ts");
const { EndpointAccountSource } =
  await import("../app/services/accounts/drivers/endpoint-account-source.server.ts");
const { SheetAccountSource } =
  await import("../app/services/accounts/drivers/sheet-account-source.server.ts");
const { createSheetReader } = await import("../app/services/composition/google.server.ts");

const [command, option, ...more] = process.argv.slice(2);
const isDryRun = option === "--dry-run";
if (command !== "import" || more.length > 0 || (option !== undefined && !isDryRun)) {
  fail("Usage: npm run accounts -- import [--dry-run]");
}
const environment = readSettings();
const source = await openSource().catch((error: unknown) => {
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
  if (file !== undefined) {
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
  if (file !== undefined) closeSync(file);
  await database.close();
}

/** Writes a row of the password file, before the account is created. */
function keep(cells: string[]): void {
  if (file === undefined) {
    file = openSync(path, "wx", 0o600);
    writeSync(file, csvLine(["email", "full name", "temporary password"]));
  }
  writeSync(file, csvLine(cells));
}

/** Opens the source of accounts to import. @throws EnvironmentError when no Google account may read the sheet. */
async function openSource() {
  const { ACCOUNT_ENDPOINT_URL: url, ACCOUNT_SHEET_ID: id } = environment;
  if (url !== undefined) return new EndpointAccountSource(url);
  if (id === undefined) return undefined;
  return new SheetAccountSource(
    await createSheetReader(environment, { id, variable: "ACCOUNT_SHEET_ID" }, Date.now),
  );
}
