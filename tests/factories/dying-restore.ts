import { importAsViteDoes } from "../../scripts/vite-imports.ts";

/**
 * Process that restores a backup and is killed before the given step: its name, or its number, counted from 1.
 * When it survives it writes the steps and the outcome as JSON.
 */
importAsViteDoes();
const { restoreBackup } = await import("../../app/services/backups/restore-backup.server.ts");

const [folder = "", at] = process.argv.slice(2);
const { DATA_DIR: dataDir = "", DATABASE_URL: url } = process.env;
const steps: string[] = [];

const outcome = await restoreBackup(
  { dataDir, url, environment: process.env },
  {
    folder,
    problem: "Restored.",
    now: Date.now(),
    onStep: (step) => {
      steps.push(step);
      if (step === at || steps.length === Number(at)) process.kill(process.pid, "SIGKILL");
    },
  },
);
process.stdout.write(JSON.stringify({ steps, outcome }));
