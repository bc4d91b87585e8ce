import { readSettings } from "./command.ts";
import { buildState, root } from "./prepare.mjs";

/**
 * npm run check:deploy [-- BACKUPS]: checks whether this machine and these settings may serve the public
 * (docs/operations.md). It changes nothing, and exits with 1 when there is an error.
 */
const { collectSetupFacts } = await import("../app/services/setup/setup-facts.server.ts");
const { checkSetup } = await import("../app/services/setup/setup-checks.ts");
const { formatSetup } = await import("./format-setup.ts");

const [backupFolder] = process.argv.slice(2);
const program = { folder: root, build: buildState() };
const results = checkSetup(await collectSetupFacts(readSettings(), backupFolder, program));
console.info(formatSetup(results));
process.exitCode = results.some(({ state }) => state === "error") ? 1 : 0;
