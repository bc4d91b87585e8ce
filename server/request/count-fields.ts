/** Counts the fields of a body or query before it is parsed, in one pass that stops at the limit (hardening C37). */
const AMPERSAND = 0x26;

/** Returns whether a URL with its query, or a urlencoded body, has more than `most` `name=value` pairs. */
export function hasMorePairs(text: string | Buffer, most: number): boolean {
  let left = most;
  for (let at = 0; at < text.length; at += 1) {
    const code = typeof text === "string" ? text.charCodeAt(at) : text[at];
    if (code === AMPERSAND) left -= 1;
    if (left === 0) return true;
  }
  return false;
}

/** Returns whether a multipart body has more than `most` parts, by its boundary (RFC 2046, section 5.1.1). */
export function hasMoreParts(body: Buffer, contentType: string, most: number): boolean {
  const [, quoted, token] = /;\s*boundary=(?:"([^"]*)"|([^;\s]*))/i.exec(contentType) ?? [];
  const boundary = quoted ?? token ?? "";
  if (boundary === "") return false;
  const delimiter = Buffer.from(`--${boundary}`, "latin1");
  // The last boundary closes the body.
  let left = most + 1;
  for (let at = body.indexOf(delimiter); at >= 0; at = body.indexOf(delimiter, at + delimiter.length)) {
    if (left === 0) return true;
    left -= 1;
  }
  return false;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const BRACE = 0x7b;
const BRACKET = 0x5b;
const CLOSING_BRACE = 0x7d;
const CLOSING_BRACKET = 0x5d;

/** Returns whether a JSON text has more members in all its objects and arrays together, or deeper nesting. */
export function exceedsJson(
  body: Buffer,
  most: { readonly members: number; readonly depth: number },
): boolean {
  let members = 1;
  let depth = 0;
  let isText = false;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at];
    if (isText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === COMMA) members += 1;
    else if (byte === BRACE || byte === BRACKET) {
      members += 1;
      depth += 1;
    } else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) depth -= 1;
    if (members > most.members || depth > most.depth) return true;
  }
  return false;
}
