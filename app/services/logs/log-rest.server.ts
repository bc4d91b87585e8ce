import { readFileSync, rmSync, writeFileSync } from "node:fs";

/**
 * The lines a process logged last, such as why it ended, when there was no time to store them: a file beside the data until
 * the next start stores it.
 */
export interface LogRest {
  /** Writes them at once; for the end of the process. Failing is not worth a crash of its own: standard output has them. */
  keep(lines: readonly string[]): void;
  /** What was kept. It stays until `forget`. */
  read(): string[];
  forget(): void;
}

export function createLogRest(path: string): LogRest {
  return {
    keep(lines) {
      if (lines.length === 0) return;
      try {
        writeFileSync(path, `${lines.join("\n")}\n`, { mode: 0o600 });
      } catch {
        // Above.
      }
    },
    read() {
      try {
        return readFileSync(path, "utf8").split("\n").filter(Boolean);
      } catch {
        return [];
      }
    },
    forget: () => rmSync(path, { force: true }),
  };
}
