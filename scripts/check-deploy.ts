import { readSettings } from "./command.ts";

/**
 * npm run check:deploy [-- BACKUPS]: checks whether this machine and these settings may serve the public
 * (docs/operations.md). It changes nothing, and exits with 1 when there is an error.
 */
const { collectDeployFacts } = await import("./deploy-checks/collect-facts.ts");
const { checkDeployment, formatFindings } = await import("./deploy-checks/deploy-checks.ts");

const [backups = "backups"] = process.argv.slice(2);
const findings = checkDeployment(await collectDeployFacts(readSettings(), backups));
console.info(formatFindings(findings));
process.exitCode = findings.some(({ outcome }) => outcome === "error") ? 1 : 0;
