import { once } from "node:events";
import type { ServerResponse } from "node:http";

/**
 * See RequestContext.untilWritable. Asks the connection, because compression answers in the response's name.
 * @param signal aborts when the connection closes or the server's time is up.
 */
export async function untilWritable(response: ServerResponse, signal: AbortSignal): Promise<boolean> {
  const { socket } = response;
  if (socket?.writableNeedDrain && !signal.aborted) {
    // Rejects when the visitor leaves or the signal comes first, which the next line tells.
    await once(socket, "drain", { signal }).catch(() => undefined);
  }
  const isOver = signal.aborted || !socket || socket.destroyed;
  if (isOver) response.destroy();
  return !isOver;
}
