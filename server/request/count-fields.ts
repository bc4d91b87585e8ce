/**
 * Counts what a body or a query holds before anybody parses it, in one pass over its bytes (hardening C37): what comes after may
 * then take any time per field without a stranger making it long.
 */

/** @param text the part of an address behind its question mark, or an urlencoded body. */
export function countPairs(text: string | Buffer): number {
  let count = 1;
  for (let at = text.indexOf("&"); at >= 0; at = text.indexOf("&", at + 1)) count += 1;
  return count;
}

/**
 * Counts the parts of a multipart body by its boundary (RFC 2046, section 5.1.1).
 * @param contentType the header, whose `boundary` parameter is looked for; without one there are no parts.
 */
export function countParts(body: Buffer, contentType: string): number {
  const [, quoted, token] = /;\s*boundary=(?:"([^"]*)"|([^;\s]*))/i.exec(contentType) ?? [];
  const boundary = quoted ?? token ?? "";
  if (boundary === "") return 0;
  const delimiter = Buffer.from(`--${boundary}`, "latin1");
  let count = 0;
  for (let at = body.indexOf(delimiter); at >= 0; at = body.indexOf(delimiter, at + delimiter.length)) {
    count += 1;
  }
  // The last one closes the body.
  return count - 1;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING = new Set([0x7b, 0x5b]);
const CLOSING = new Set([0x7d, 0x5d]);

/** Counts the members of all objects and arrays of a JSON text together, and how deep they are nested. */
export function measureJson(body: Buffer): { readonly members: number; readonly depth: number } {
  let members = 1;
  let depth = 0;
  let deepest = 0;
  let isText = false;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at] ?? 0;
    if (isText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === COMMA) members += 1;
    else if (OPENING.has(byte)) {
      members += 1;
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (CLOSING.has(byte)) depth -= 1;
  }
  return { members, depth: deepest };
}
