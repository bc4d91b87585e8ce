import { fstatSync, openSync, constants, writeSync } from "node:fs";
import { isatty } from "node:tty";

/** The maximum of buffered lines while nobody reads standard output, in bytes. */
const MOST_WAITING = 1024 * 1024;
const RETRY_MS = 50;
/** Time for which the exit waits until the last lines are read. */
const LAST_FLUSH_MS = 500;
const STANDARD_OUTPUT = 1;

interface LogOutputDeps {
  /** Writes what it can without blocking; returns the number of bytes. @throws EAGAIN when it can write nothing. */
  readonly write: (bytes: Buffer) => number;
  /** Calls back after `ms` milliseconds. */
  readonly setTimer: (callback: () => void, ms: number) => void;
  /** Receives the number of dropped lines, once the reader takes lines again. */
  readonly onDropped: (lines: number) => void;
}

/**
 * Writes log lines to standard output without ever blocking on its reader (hardening R38): a log driver that
 * stalls, a full pipe or a suspended terminal costs lines, which are counted, and never a response.
 */
export class LogOutput {
  readonly #deps: LogOutputDeps;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #dropped = 0;
  #totalDropped = 0;
  #isStalled = false;

  constructor(deps: LogOutputDeps) {
    this.#deps = deps;
  }

  /** The number of lines dropped since the process started. */
  get totalDropped(): number {
    return this.#totalDropped;
  }

  /** @param line includes its line end. */
  write(line: string): void {
    const bytes = Buffer.from(line);
    if (this.#waitingBytes + bytes.length > MOST_WAITING) {
      this.#dropped += 1;
      this.#totalDropped += 1;
      return;
    }
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    if (!this.#isStalled) this.#flush();
  }

  /** Writes the buffered lines synchronously; for the exit of the process, after which nothing is written. */
  flushSync(): void {
    const deadline = performance.now() + LAST_FLUSH_MS;
    this.#flush();
    while (this.#isStalled && performance.now() < deadline) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
      this.#flush();
    }
  }

  readonly #flush = (): void => {
    this.#isStalled = false;
    while (this.#waiting.length > 0) {
      const [first = Buffer.of()] = this.#waiting;
      const written = this.#writeSome(first);
      if (written === undefined) {
        this.#isStalled = true;
        return this.#deps.setTimer(this.#flush, RETRY_MS);
      }
      this.#waitingBytes -= written;
      if (written === first.length) this.#waiting.shift();
      else this.#waiting[0] = first.subarray(written);
    }
    if (this.#dropped === 0) return;
    const dropped = this.#dropped;
    this.#dropped = 0;
    this.#deps.onDropped(dropped);
  };

  /** @returns undefined when the reader takes nothing now. */
  #writeSome(bytes: Buffer): number | undefined {
    try {
      return this.#deps.write(bytes);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EAGAIN") return undefined;
      // Lost: the reader is gone, or the disk behind it is full.
      return bytes.length;
    }
  }
}

/** Opens standard output so that a write never blocks, and returns its file descriptor. */
function openStandardOutput(): number {
  const stat = fstatSync(STANDARD_OUTPUT);
  // Node makes pipes and sockets non-blocking when it creates its stream for them.
  if (stat.isFIFO() || stat.isSocket()) void process.stdout;
  if (!isatty(STANDARD_OUTPUT)) return STANDARD_OUTPUT;
  // A terminal is shared with the shell, which must not find it non-blocking: opened again, the flag applies to us
  // alone. The first name is missing outside Linux, and refused after su; the second is the terminal that started us.
  for (const path of [`/proc/self/fd/${STANDARD_OUTPUT}`, "/dev/tty"]) {
    try {
      return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    } catch {
      // Tries the next.
    }
  }
  return STANDARD_OUTPUT;
}

/** @param onDropped receives the number of lines dropped while nobody read. */
export function createLogOutput(onDropped: (lines: number) => void): LogOutput {
  const file = openStandardOutput();
  return new LogOutput({
    write: (bytes) => writeSync(file, bytes),
    setTimer: (callback, ms) => void setTimeout(callback, ms).unref(),
    onDropped,
  });
}
