import { importAsViteDoes } from "../../scripts/vite-imports.ts";

/**
 * npm run bench: prints tables of the product's cost over doing the same thing bare, and of its use of the
 * machine. They are also in .cache/bench.md.
 */
importAsViteDoes();
process.env.TEST_FOLDERS_ON_DISK = "yes";
const { runBench } = await import("./bench.ts");
await runBench();
// Exits explicitly: embedded PostgreSQL ends an idle process with 0, even when an aim was missed.
process.exit();
