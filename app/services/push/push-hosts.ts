/** Push services of current browsers: the default of PUSH_ALLOWED_HOSTS. */
export const KNOWN_PUSH_HOSTS = [
  "fcm.googleapis.com",
  "*.push.services.mozilla.com",
  "web.push.apple.com",
  "*.push.apple.com",
  "*.notify.windows.com",
] as const;

const LABEL = "[a-z0-9](?:[a-z0-9-]*[a-z0-9])?";
/** Matches names with a dot and a top level that is no number: neither `localhost` nor an IP address. */
const HOST_PATTERN = new RegExp(`^(?:\\*\\.)?(?:${LABEL}\\.)+[a-z][a-z0-9-]*(?::\\d{1,5})?$`);

/** Returns whether a lower-case pattern is valid: `push.example.com`, `*.push.example.com`, each also with a port. */
export const isPushHost = (pattern: string): boolean => HOST_PATTERN.test(pattern);

export type PushHosts = ReturnType<typeof createPushHosts>;

/**
 * Creates the allow list of push services (hardening C22): visitors supply the endpoint, so it has to belong to
 * a push service.
 * @param patterns see isPushHost; `*.` stands for one or more leading labels.
 */
export function createPushHosts(patterns: readonly string[]) {
  // URL.host is without the port of https.
  const hosts = patterns.map((pattern) => pattern.replace(/:443$/, ""));
  const exact = new Set(hosts.filter((host) => !host.startsWith("*.")));
  // A suffix keeps its dot: "*.example.com" does not allow badexample.com.
  const suffixes = hosts.filter((host) => host.startsWith("*.")).map((host) => host.slice(1));

  return {
    /**
     * Returns whether a push endpoint may be used: only https, without a user name or password.
     * @param endpoint as the visitor sent it.
     */
    allows(endpoint: string): boolean {
      const url = URL.parse(endpoint);
      if (url?.protocol !== "https:" || url.username || url.password) return false;
      return exact.has(url.host) || suffixes.some((suffix) => url.host.endsWith(suffix));
    },
  };
}
