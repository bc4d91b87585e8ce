import { PassThrough } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { PipeableStream } from "react-dom/server";

/**
 * Renders a page to bytes and repairs a bug of React 18: when a character does not fit into the rest of a
 * 2,048-byte chunk, React fills that rest with zeros (facebook/react#24985), which browsers show as U+FFFD in
 * attributes. Removing zero bytes is safe: UTF-8 has no other use for them, and no page of ours contains a NUL.
 */
export async function pageBytes({ pipe }: Pick<PipeableStream, "pipe">): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await buffer(pipe(new PassThrough()));
  return bytes.includes(0) ? bytes.filter((byte) => byte !== 0) : bytes;
}
