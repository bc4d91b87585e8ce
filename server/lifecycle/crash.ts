import type { Logger } from "pino";

/**
 * After an error nobody caught, also a rejection, the process's state is unknown: says so once, with the stack, and lets the
 * supervisor start a clean one (R29). What was acknowledged is on disk already.
 */
export function exitOnUncaughtError(logger: Logger, exit: (code: number) => void): void {
  process.on("uncaughtException", (error, origin) => {
    logger.fatal(
      { err: error },
      origin === "unhandledRejection" ? "unhandled rejection" : "uncaught exception",
    );
    exit(1);
  });
}
