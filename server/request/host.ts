import { memoize } from "./memoize.ts";

/** Host checks (C12): a wrong host is refused before the application builds a URL or a link from it. */
const NAME = /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?\.?(?::\d{1,5})?$/i;
const IPV6 = /^\[[0-9a-f:.]+\](?::\d{1,5})?$/i;

const parse = memoize((url) => URL.parse(url));

/** Returns whether the Host header is valid (RFC 9110): a registered name or an address, with an optional port. */
export const isValidHost = memoize(
  (host) => (NAME.test(host) || IPV6.test(host)) && normalisedHost(host, "http:") !== undefined,
);

/** Normalises a host: under https `Example.com:443` equals `example.com`. */
function normalisedHost(host: string, scheme: string): string | undefined {
  return parse(`${scheme}//${host}`)?.host;
}

/** Returns whether a Host header (`host`) names the host of a full origin (`origin`). */
export function hostMatchesOrigin(host: string, origin: string): boolean {
  const ours = parse(origin);
  return ours !== null && ours.host !== "" && normalisedHost(host, ours.protocol) === ours.host;
}
