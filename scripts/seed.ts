import { fail, openSettingsDatabase, readSettings } from "./command.ts";

/** npm run seed [-- --size small|large]: fills an empty database with made-up data (docs/operations.md). */
const { isDatabaseInUse } = await import("../app/db/unmigrated-database.server.ts");
const { seed } = await import("./seed/seed.ts");

const [option, size = "small", ...more] = process.argv.slice(2);
const isUsable = (option === undefined || option === "--size") && more.length === 0;
if (!isUsable || (size !== "small" && size !== "large")) fail("Usage: npm run seed [-- --size small|large]");
const environment = readSettings();
const began = performance.now();
const { DATA_DIR: dataDir, DATABASE_URL: url } = environment;
// A running server would really send what the seed only simulates.
if (await isDatabaseInUse({ url, dataDir })) {
  fail(
    "No data was created. The database is in use: first stop the server, and everything else that has it open.",
  );
}
const database = await openSettingsDatabase(environment);
const outcome = await seed(database, environment, { size, now: Date.now() }).finally(() => database.close());
if (!outcome.ok) {
  fail(
    "No data was created. There are signups, campaigns or devices here already. Set DATA_DIR to a new folder, or DATABASE_URL to an empty database.",
  );
}
const took = ((performance.now() - began) / 1000).toFixed(1);
console.info(`90 days of data were created in ${took} s. Nothing was sent, and active campaigns are paused.`);
const { superadmin } = outcome;
if (superadmin.kind === "made") {
  const password = superadmin.temporaryPassword ?? "(from SUPERADMIN_PASSWORD)";
  console.info(`Log in after npm start as ${superadmin.email} with the password ${password}`);
}
