/** What no search engine should list: the back office and what hangs on a person or a token. As app/discovery/robots.ts. */
const NOT_FOR_SEARCH = /^\/(?:admin|login|logout|unauthorized|unsubscribe)(?:[/.].*)?$/s;

/**
 * X-Robots-Tag beside robots.txt: the one holds off who asks first, the other who has the address from elsewhere.
 * @param path RequestTarget.path: decoded and lower case
 */
export const robotsTagFor = (path: string): string | undefined =>
  NOT_FOR_SEARCH.test(path) ? "noindex" : undefined;
