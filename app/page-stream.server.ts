import { Transform } from "node:stream";

/**
 * The bytes of a page as React 18 should have written them: when a character does not fit into the rest of a piece of
 * 2,048 bytes, React sends that rest as zeros (facebook/react#24985), and a browser shows them as U+FFFD in an attribute.
 * UTF-8 has no other use for a zero byte, and no page of ours holds a NUL.
 */
export function pageStream(): Transform {
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      done(null, piece.includes(0) ? piece.filter((byte) => byte !== 0) : piece);
    },
  });
}
