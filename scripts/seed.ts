import { leave, settings } from "./command.ts";
import { importAsViteDoes } from "./vite-imports.ts";

/** npm run seed [-- --size small|large]: fills an empty database with a made-up past, to look round in (docs/operations.md). */
importAsViteDoes();
const { seedFor } = await import("./seed/seed-for.ts");

const PROBLEMS = {
  "not-empty":
    "There are signups, sends or devices here already. Set DATA_DIR to a new folder, or DATABASE_URL to an empty database.",
  "in-use": "The database is in use: stop the server, and what else has it open, first.",
};

const [option, size = "small", ...more] = process.argv.slice(2);
const isUsable = (option === undefined || option === "--size") && more.length === 0;
if (!isUsable || (size !== "small" && size !== "large")) leave("Usage: npm run seed [-- --size small|large]");
const environment = settings();
const began = performance.now();
const outcome = await seedFor(environment, { size, now: Date.now() });
if (!outcome.ok) leave(`Nothing was made up. ${PROBLEMS[outcome.error]}`);
const took = ((performance.now() - began) / 1000).toFixed(1);
console.info(
  `90 days were made up in ${took} s. Nothing was sent, and nothing waits to be: what is under way is paused.`,
);
const { superadmin } = outcome;
if (superadmin.kind === "made") {
  const password = superadmin.temporaryPassword ?? "(from SUPERADMIN_PASSWORD)";
  console.info(`Log in after npm start as ${superadmin.email} with the password ${password}`);
}
