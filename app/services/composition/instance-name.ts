import { hostname } from "node:os";
import type { Environment } from "~/env.server";

/**
 * Names this instance, the same over restarts: what it claims and measures is kept under it. On SQLite there is one instance,
 * so that another port changes nothing; those that share a PostgreSQL may run on one machine and are told apart by their ports.
 */
export function getInstanceName({ DATABASE_URL, PORT }: Pick<Environment, "DATABASE_URL" | "PORT">): string {
  return DATABASE_URL ? `${hostname()}:${PORT}` : hostname();
}
