/**
 * Counts the fields of a body or query before it is parsed, in one pass that stops at the limit (hardening C37). Bodies
 * are read as Latin-1, a character for each byte: UTF-8 has none of these delimiters inside another character.
 */

/** Returns whether a URL with its query, or a urlencoded body, has more than `most` `name=value` pairs. */
export function hasMorePairs(text: string, most: number): boolean {
  let left = most;
  for (let at = text.indexOf("&"); at >= 0; at = text.indexOf("&", at + 1)) {
    left -= 1;
    if (left === 0) return true;
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
