/**
 * Counts the fields of a body or query before it is parsed, in one pass that stops at the limit (hardening C37). Bodies
 * are read as Latin-1, a character for each byte: UTF-8 has none of these delimiters inside another character.
 */

/** Returns whether a URL with its query, or a urlencoded body, has more than `most` `name=value` pairs. */
export const hasMorePairs = (text: string, most: number): boolean => hasMore(text, "&", most - 1);

/**
 * Returns whether a multipart body has more than `most` parts, by its boundary (RFC 2046, section 5.1.1). A type in
 * which `Request.formData` may find another boundary than this has more: with several types, escapes, letters outside
 * ASCII, a space after "=", or quotation marks elsewhere. No client sends one.
 */
export function hasMoreParts(body: string, contentType: string, most: number): boolean {
  if (/[^\t -~]|[,\\]|=[\t ]/.test(contentType)) return true;
  const found = /^[^"]*?;[\t ]*boundary=(?:"([^"]+)"|([^;"]*[^;"\t ]))/i.exec(contentType);
  const boundary = found?.[1] ?? found?.[2];
  if (boundary === undefined) return contentType.includes('"');
  // The last boundary closes the body.
  return hasMore(body, `--${boundary}`, most + 1);
}

function hasMore(text: string, delimiter: string, most: number): boolean {
  let left = most;
  for (let at = text.indexOf(delimiter); at >= 0; at = text.indexOf(delimiter, at + delimiter.length)) {
    if (left === 0) return true;
    left -= 1;
  }
  return false;
}

/** Returns whether a JSON text has more members in all its objects and arrays together, or deeper nesting. */
export function exceedsJson(
  body: string,
  most: { readonly members: number; readonly depth: number },
): boolean {
  let members = 1;
  let depth = 0;
  let isText = false;
  for (let at = 0; at < body.length; at += 1) {
    const character = body[at];
    if (isText) {
      if (character === "\\") at += 1;
      else if (character === '"') isText = false;
    } else if (character === '"') isText = true;
    else if (character === ",") members += 1;
    else if (character === "{" || character === "[") {
      members += 1;
      depth += 1;
    } else if (character === "}" || character === "]") depth -= 1;
    if (members > most.members || depth > most.depth) return true;
  }
  return false;
}
