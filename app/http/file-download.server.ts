import { ReadableStream } from "node:stream/web";
import { setImmediate } from "node:timers/promises";
import { getRequestContext } from "./request-context.server";

/**
 * Streams a file of any length: holds one chunk, and reads the next when the connection accepts it, none when
 * the client has left (hardening R27). @param file.name letters, digits, `.`, `-` and `_`.
 */
export function fileDownload(file: { name: string; type: string }, pieces: AsyncIterable<string>): Response {
  const context = getRequestContext();
  const encoder = new TextEncoder();

  async function* chunks(): AsyncGenerator<Uint8Array> {
    let isFirst = true;
    for await (const piece of pieces) {
      yield encoder.encode(piece);
      // Yields to the event loop, to other requests and the garbage collector: SQLite answers synchronously.
      await setImmediate();
      if (!isFirst && context && !(await context.untilWritable())) return;
      isFirst = false;
    }
  }
  // Reads nothing before it is requested: the stream has a high water mark of 0.
  const body = ReadableStream.from(chunks()) as BodyInit;
  return new Response(body, {
    headers: {
      "Content-Type": file.type,
      "Content-Disposition": `attachment; filename="${file.name}"`,
      // Not compressed: the compression middleware accepts data faster than it compresses, and buffers the rest.
      "Cache-Control": "no-store, no-transform",
    },
  });
}
