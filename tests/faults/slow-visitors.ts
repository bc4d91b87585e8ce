/**
 * Holds connections that never become a request, in a separate process with a file limit of its own:
 * `fork(this file, [port, sockets])`. Node runs it without a build: erasable types, no aliases.
 *
 * Sends its parent `{ open }` once all are open, and `{ lives }` once all were closed: the lifetime of each in
 * milliseconds. A connection that failed counts in `refused`.
 */
import { connect, type Socket } from "node:net";

export interface SlowReport {
  readonly open?: number;
  readonly refused?: number;
  readonly lives?: readonly number[];
}

const [port = "", sockets = ""] = process.argv.slice(2);
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

/** A third sends nothing, a third begins a request and stops, a third adds a header line every second. */
function sendSlowly(socket: Socket, index: number): void {
  if (index % 3 === 0) return;
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n");
  if (index % 3 === 1) return;
  const timer = setInterval(() => socket.write("X-Slow: 1\r\n"), 1000);
  socket.once("close", () => clearInterval(timer));
}
