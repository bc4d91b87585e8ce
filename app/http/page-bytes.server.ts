import { PassThrough } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { PipeableStream } from "react-dom/server";

/**
 * Renders a page to bytes, without the zeros with which React 18 fills a chunk whose rest is too short for a
 * character (facebook/react#24985). UTF-8 has no other use for zero bytes, and no page of ours contains a NUL.
 */
export async function pageBytes({ pipe }: Pick<PipeableStream, "pipe">): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await buffer(pipe(new PassThrough()));
  return bytes.includes(0) ? bytes.filter((byte) => byte !== 0) : bytes;
}
