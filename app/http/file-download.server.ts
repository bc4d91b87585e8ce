import { setImmediate } from "node:timers/promises";
import { serverBridge } from "../../server/bridge";

/**
 * A file of any length, written while it is read: one piece is held at a time, the next one is read when the connection
 * takes it, and none when the person has left (hardening R27).
 * @param file.name letters, digits, `.`, `-` and `_`.
 */
export function fileDownload(file: { name: string; type: string }, pieces: AsyncIterable<string>): Response {
  const context = serverBridge().current();
  const encoder = new TextEncoder();

  async function* chunks(): AsyncGenerator<Uint8Array> {
    let isFirst = true;
    for await (const piece of pieces) {
      yield encoder.encode(piece);
      // Others get their turn, and the collector its own: SQLite answers at once, and never lets go of the process.
      await setImmediate();
      if (!isFirst && context && !(await context.untilWritable())) return;
      isFirst = false;
    }
  }
  const coming = chunks();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await coming.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: async () => void (await coming.return(undefined)),
    },
    // Nothing is read before it is asked for.
    { highWaterMark: 0 },
  );
  return new Response(body, {
    headers: {
      "Content-Type": file.type,
      "Content-Disposition": `attachment; filename="${file.name}"`,
      // Not compressed: the compression in front takes all it is given, faster than it works, and holds the rest.
      "Cache-Control": "no-store, no-transform",
    },
  });
}
