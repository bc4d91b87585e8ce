import { csvLine } from "~/lib/csv";
import type { CsvCell } from "~/lib/csv";
import { serverBridge } from "../server/bridge";

/**
 * A CSV file of any length, written while it is read: one batch is held at a time, the next one is read when the
 * connection takes it, and none when the person has left (hardening R27). UTF-8 without a byte order mark, which would
 * become part of the first header for every other program than Excel.
 * @param name the file's name: letters, digits, `.`, `-` and `_`.
 */
export function csvDownload(
  name: string,
  header: readonly string[],
  batches: AsyncIterable<readonly (readonly CsvCell[])[]>,
): Response {
  const context = serverBridge().current();
  const encoder = new TextEncoder();

  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield encoder.encode(csvLine(header));
    for await (const lines of batches) {
      yield encoder.encode(lines.map(csvLine).join(""));
      if (context && !(await context.untilWritable())) return;
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
      "Content-Type": "text/csv; charset=utf-8; header=present",
      "Content-Disposition": `attachment; filename="${name}"`,
      // Not compressed: the compression in front takes all it is given, faster than it works, and holds the rest.
      "Cache-Control": "no-store, no-transform",
    },
  });
}
