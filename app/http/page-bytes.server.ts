import { PassThrough } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { PipeableStream } from "react-dom/server";

/**
 * The bytes of a page as React 18 should have written them: when a character does not fit into the rest of a piece of
 * 2,048 bytes, React sends that rest as zeros (facebook/react#24985), and a browser shows them as U+FFFD in an attribute.
 * UTF-8 has no other use for a zero byte, and no page of ours holds a NUL.
 */
export async function pageBytes({ pipe }: Pick<PipeableStream, "pipe">): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await buffer(pipe(new PassThrough()));
  return bytes.includes(0) ? bytes.filter((byte) => byte !== 0) : bytes;
}
