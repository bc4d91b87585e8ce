import type { Logger } from "pino";

/**
 * Logs an uncaught error or rejection with its stack and exits: the process's state is unknown, and the supervisor
 * starts a clean one (R29). Acknowledged data is on disk already.
 */
export function exitOnUncaughtError(logger: Logger, exit: (code: number) => void): void {
  process.on("uncaughtException", (err, origin) => {
    logger.fatal({ err }, origin === "unhandledRejection" ? "unhandled rejection" : "uncaught exception");
    exit(1);
  });
}
