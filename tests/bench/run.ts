import { importAsViteDoes } from "./vite-imports.ts";

/** npm run bench: what the product costs over doing the same thing bare, in one table. Also in .cache/bench.md. */
importAsViteDoes();
const { runBench } = await import("./bench.ts");
await runBench();
