/**
 * Holds connections that never become a request, in a separate process with a file limit of its own:
 * `fork(this file, [port, sockets, kind])`. Node runs it without a build: erasable types, no aliases.
 *
 * Sends its parent `{ open }` once all are open, and `{ lives }` once all were closed: the lifetime of each in
 * milliseconds. A connection that failed counts in `refused`.
 */
import { connect, type Socket } from "node:net";

/**
 * - `half-open`: a third sends nothing, a third begins a request and stops, a third adds a header line every second.
 * - `slow-body`: a whole header, then a byte of the body every second.
 */
export type Slowness = "half-open" | "slow-body";

export interface SlowReport {
  readonly open?: number;
  readonly refused?: number;
  readonly lives?: readonly number[];
}

const [port = "", sockets = "", kind = ""] = process.argv.slice(2);
const total = Number(sockets);
/** Connections opened at once, as many as the listener's backlog holds. */
const BATCH = 100;

const report = (message: SlowReport, sent?: () => void) =>
  process.send?.(message, undefined, undefined, sent);
const lives: number[] = [];
let refused = 0;

for (let begun = 0; begun < total; begun += BATCH) {
  const batch = Array.from({ length: Math.min(BATCH, total - begun) }, (_, index) => open(begun + index));
  await Promise.all(batch);
}
report({ open: total - refused, refused });
const waiting = setInterval(() => {
  if (lives.length < total - refused) return;
  clearInterval(waiting);
  report({ lives }, () => process.disconnect());
}, 100);

/** Resolves when connected or refused. */
function open(index: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(Number(port), "127.0.0.1");
    let connectedAt: number | undefined;
    socket.on("error", () => undefined);
    socket.once("connect", () => {
      connectedAt = performance.now();
      sendSlowly(socket, index);
      resolve();
    });
    socket.once("close", () => {
      if (connectedAt === undefined) refused += 1;
      else lives.push(performance.now() - connectedAt);
      resolve();
    });
    // Reads the server's response, if any: otherwise the end after it would not be seen.
    socket.resume();
  });
}

function sendSlowly(socket: Socket, index: number): void {
  const begin = "GET / HTTP/1.1\r\nHost: localhost\r\n";
  if (kind === "slow-body") {
    const form = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n";
    socket.write(
      `${begin.replace("GET / ", "POST /early-access ")}Sec-Fetch-Site: same-origin\r\n${form}\r\n`,
    );
    drip(socket, "a");
  } else if (index % 3 === 1) socket.write(begin);
  else if (index % 3 === 2) {
    socket.write(begin);
    drip(socket, "X-Slow: 1\r\n");
  }
}

function drip(socket: Socket, piece: string): void {
  const timer = setInterval(() => socket.write(piece), 1000);
  socket.once("close", () => clearInterval(timer));
}
