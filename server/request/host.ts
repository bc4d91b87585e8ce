import { memoize } from "./memoize.ts";

/** Host checks (C12): a wrong name is refused before the application builds a URL or a link from it. */
const NAME = /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?\.?(?::\d{1,5})?$/i;
const IPV6 = /^\[[0-9a-f:.]+\](?::\d{1,5})?$/i;

const parse = memoize((url) => URL.parse(url));

/** Syntax of RFC 9110's Host: a registered name or an address, with at most a port. */
export const isValidHost = memoize(
  (host) => (NAME.test(host) || IPV6.test(host)) && normalisedHost(host, "http:") !== undefined,
);

/** Lower case and without the scheme's own port, so that `Example.com:443` equals `example.com` under https. */
function normalisedHost(host: string, scheme: string): string | undefined {
  return parse(`${scheme}//${host}`)?.host;
}

/** Whether two origins' hosts are the same place; `host` is a Host header, `origin` a full origin. */
export function hostMatchesOrigin(host: string, origin: string): boolean {
  const ours = parse(origin);
  return ours !== null && ours.host !== "" && normalisedHost(host, ours.protocol) === ours.host;
}
