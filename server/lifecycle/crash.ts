import type { Logger } from "pino";

/**
 * After a surprise nobody caught, the process's state is unknown: say so once, with the stack, and let the supervisor
 * start a clean one (R29). What was acknowledged is on disk already.
 */
export function exitOnUncaughtError(logger: Logger, exit: (code: number) => void): void {
  process.on("uncaughtException", (error) => {
    logger.fatal({ err: error }, "uncaught exception");
    exit(1);
  });
  process.on("unhandledRejection", (reason) => {
    const err =
      reason instanceof Error
        ? reason
        : new Error("rejected with something that is no error", { cause: reason });
    logger.fatal({ err }, "unhandled rejection");
    exit(1);
  });
}
