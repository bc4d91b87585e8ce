import type { DatabaseProblem } from "~/db/database-problem.server";

/** What the reasons of /readyz mean, for operators. */
const REASONS: Record<DatabaseProblem | "disk-low" | "timeout", string> = {
  "database-unreachable": "the database cannot be reached",
  "database-connections": "the database has no free connection",
  "database-read-only": "the database accepts no writes",
  "database-full": "the disk of the database is full",
  "database-locked": "another process has locked the database",
  "database-file-replaced": "the file of the database was removed, moved or replaced",
  "database-failed": "the database fails to store a test row",
  "disk-low": "less disk space is free than MIN_FREE_DISK_MB",
  timeout: "the database did not answer within a second",
};

const isKnown = (reason: string): reason is keyof typeof REASONS => Object.hasOwn(REASONS, reason);

/** Texts for a server that /readyz reports as not ready, so that load balancers send no visitors to it. */
export const readinessMessages = {
  short: (reason: string) => `Not ready: ${reason}`,
  /** One sentence, with the code of /readyz. */
  sentence: (reason: string) =>
    isKnown(reason)
      ? `Not ready (${reason}): ${REASONS[reason]}.`
      : `Not ready (${reason}): the log says why.`,
} as const;
