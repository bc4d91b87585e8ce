import { importAsViteDoes } from "./vite-imports.ts";

/** npm run proof: docs/proof.md, of what is promised and the last results of npm test, npm run test:faults and npm run bench. */
importAsViteDoes();
const { writeProof } = await import("../tests/proof/page.ts");
await writeProof();
