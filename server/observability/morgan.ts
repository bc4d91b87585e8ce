import { createRequire } from "node:module";

/**
 * Silences morgan. remix-serve always logs through its `tiny` format, which contains whole URLs with their queries
 * (C24). A format that returns nothing writes nothing.
 * @throws at boot when morgan cannot be resolved: better no server than a log of secrets.
 */
export function silenceMorgan(): void {
  const requireHere = createRequire(import.meta.url);
  // The same instance that remix-serve gets, even with another version installed beside it.
  const requireThere = createRequire(requireHere.resolve("@remix-run/serve/dist/cli.js"));
  const morgan = requireThere("morgan") as { format(name: string, line: () => undefined): void };
  morgan.format("tiny", () => undefined);
}
