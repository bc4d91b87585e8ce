/** How to write a URL that contains a user and a password: the end of a sentence that refuses one. */
export const PERCENT_ENCODE =
  "Percent-encode the user and the password: / is %2F, ? is %3F, # is %23, @ is %40, % is %25";

/**
 * Parses `scheme://[user[:password]@]host[:port]...` whose user and password are percent-encoded.
 * An unencoded / ? or # of a password ends the host before it begins: the rest of the password and the @ become path,
 * query or fragment, and digits before it a port. Such a URL is refused, because it would lead to another host.
 * @param schemes such as "smtp".
 * @returns undefined for anything else.
 */
export function parseConnectionUrl(text: string, schemes: readonly string[]): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const { protocol, username, password, pathname, search, hash } = url;
  const isWhole = hash === "" && !`${pathname}${search}`.includes("@");
  const isKnown = schemes.includes(protocol.slice(0, -1)) && text.startsWith(`${protocol}//`);
  return isKnown && isWhole && isDecodable(username) && isDecodable(password) ? url : undefined;
}

function isDecodable(part: string): boolean {
  try {
    decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}
