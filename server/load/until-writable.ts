import { once } from "node:events";
import type { ServerResponse } from "node:http";

/** Implements RequestContext.untilWritable, on the socket: compression replaces the response's own methods. */
export async function untilWritable(response: ServerResponse, signal: AbortSignal): Promise<boolean> {
  const { socket } = response;
  if (socket?.writableNeedDrain && !signal.aborted) {
    // Rejects when the client leaves or the signal aborts first; the next line handles both.
    await once(socket, "drain", { signal }).catch(() => undefined);
  }
  const isOver = signal.aborted || !socket || socket.destroyed;
  if (isOver) response.destroy();
  return !isOver;
}
