import { importAsViteDoes } from "../../scripts/vite-imports.ts";

/**
 * npm run bench: what the product costs over doing the same thing bare, and what it takes of the machine, in tables; they are
 * also in .cache/bench.md, and the last of each kind in docs/proof.md.
 */
importAsViteDoes();
process.env.TEST_FOLDERS_ON_DISK = "yes";
const { runBench } = await import("./bench.ts");
const { writeProof } = await import("../proof/page.ts");
await runBench();
await writeProof();
// A PostgreSQL of our own ends a process that has nothing more to do with 0, whatever was missed.
process.exit();
