import { hostMatchesOrigin } from "./host.ts";

/**
 * Cross-site request forgery (C7). Browsers since 2020 (Safari since 2023) report in Sec-Fetch-Site who caused a
 * request, and no page can forge it; older ones still send Origin. The order is that of Go 1.25's
 * http.CrossOriginProtection, made stricter in two places: another subdomain (`same-site`) is cross-origin, and a
 * cookie without either header is refused.
 */
export interface OriginFacts {
  readonly method: string;
  readonly host: string;
  readonly secFetchSite: string | undefined;
  readonly origin: string | undefined;
  readonly hasCookie: boolean;
}

const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);

/** @param ownOrigin the configured ORIGIN; without it the request's own Host header is compared. */
export function isCrossOrigin(facts: OriginFacts, ownOrigin: string | undefined): boolean {
  if (SAFE.has(facts.method)) return false;
  if (facts.secFetchSite !== undefined)
    return facts.secFetchSite !== "same-origin" && facts.secFetchSite !== "none";
  if (facts.origin !== undefined) return !sameHost(facts.origin, facts.host, ownOrigin);
  // Neither header: a mail provider's one-click unsubscribe or a script. A cookie would act for a signed-in person.
  return facts.hasCookie;
}

function sameHost(origin: string, host: string, ownOrigin: string | undefined): boolean {
  if (!ownOrigin) return hostMatchesOrigin(host, origin);
  // `null`, which sandboxed and privacy-stripped pages send, has no host and so matches nothing.
  return hostMatchesOrigin(URL.parse(origin)?.host ?? "", ownOrigin);
}
