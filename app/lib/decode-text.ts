/** A file's text; or the first line, from 1, that is no text in UTF-8 or UTF-16. */
export type DecodedText =
  { readonly ok: true; readonly text: string } | { readonly ok: false; readonly line: number };

/**
 * Decodes a file by its byte order mark: UTF-8, which it needs none for, or UTF-16, as spreadsheets save "Unicode text".
 * Nothing is replaced silently (hardening R47): a file in another encoding has bytes that are no UTF-8, or NULs.
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  const text = new TextDecoder(getEncoding(bytes)).decode(bytes);
  // A file may hold this character, but then it was replaced by another program.
  const wrong = text.search(/[\uFFFD\0]/);
  if (wrong === -1) return { ok: true, text };
  return { ok: false, line: text.slice(0, wrong).split(/\r\n|\r|\n/).length };
}

function getEncoding([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return "utf-8";
}
