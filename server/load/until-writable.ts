import { once } from "node:events";
import type { ServerResponse } from "node:http";

/**
 * Implements RequestContext.untilWritable. Checks the socket, because the compression middleware replaces the
 * response's own methods.
 * @param signal aborts when the connection closes or the drain's time limit is reached.
 */
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
