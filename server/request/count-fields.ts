/**
 * Tells whether a body or a query holds too much before anybody parses it, in one pass over its bytes that ends as soon as it is
 * too much (hardening C37): what comes after may then take any time per field without a stranger making it long.
 */
const AMPERSAND = 0x26;

/**
 * Whether a text has more `name=value` pairs.
 * @param text an address with its query, or an urlencoded body.
 */
export function hasMorePairs(text: string | Buffer, most: number): boolean {
  let left = most;
  for (let at = 0; at < text.length; at += 1) {
    const code = typeof text === "string" ? text.charCodeAt(at) : text[at];
    if (code === AMPERSAND) left -= 1;
    if (left === 0) return true;
  }
  return false;
}

/**
 * Whether a multipart body has more parts, told by its boundary (RFC 2046, section 5.1.1).
 * @param contentType the header, whose `boundary` parameter is looked for; without one there are no parts.
 */
export function hasMoreParts(body: Buffer, contentType: string, most: number): boolean {
  const [, quoted, token] = /;\s*boundary=(?:"([^"]*)"|([^;\s]*))/i.exec(contentType) ?? [];
  const boundary = quoted ?? token ?? "";
  if (boundary === "") return false;
  const delimiter = Buffer.from(`--${boundary}`, "latin1");
  // The last one closes the body.
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

/** Whether a JSON text has more members of objects and arrays, all together, or deeper ones. */
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
