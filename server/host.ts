/** Host checks (C12): a wrong name is refused before the application builds a URL or a link from it. */
const NAME = /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?\.?(?::\d{1,5})?$/i;
const IPV6 = /^\[[0-9a-f:.]+\](?::\d{1,5})?$/i;

/** Syntax of RFC 9110's Host: a registered name or an address, with at most a port. */
export function isValidHost(host: string): boolean {
  return (NAME.test(host) || IPV6.test(host)) && normalisedHost(host, "http:") !== undefined;
}

/** Lower case and without the scheme's own port, so that `Example.com:443` equals `example.com` under https. */
export function normalisedHost(host: string, scheme: string): string | undefined {
  try {
    return new URL(`${scheme}//${host}`).host;
  } catch {
    return undefined;
  }
}

/** Whether two origins' hosts are the same place; `host` is a Host header, `origin` a full origin. */
export function hostMatchesOrigin(host: string, origin: string): boolean {
  try {
    const { protocol, host: expected } = new URL(origin);
    return expected !== "" && normalisedHost(host, protocol) === expected;
  } catch {
    return false;
  }
}
