import { createRequire } from "node:module";

interface Morgan {
  format(name: string, line: () => undefined): void;
}

/**
 * remix-serve always logs through morgan's `tiny` format, which holds whole URLs with their queries (C24). A format
 * that returns nothing writes nothing. Throws at boot when morgan has moved: better no server than a log of secrets.
 */
export function silenceMorgan(): void {
  const requireHere = createRequire(import.meta.url);
  // The very instance remix-serve will get, even if another version were installed beside it.
  const requireThere = createRequire(requireHere.resolve("@remix-run/serve/dist/cli.js"));
  const morgan = requireThere("morgan") as Morgan;
  morgan.format("tiny", () => undefined);
}
