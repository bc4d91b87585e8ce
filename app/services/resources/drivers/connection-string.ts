/**
 * A Redis URL that may be shown: who logs in and with what is masked, also where only one of both is there, and what
 * stands behind a question mark is left out. What is no URL is not shown at all.
 */
export function maskedConnectionString(url: string): string {
  if (!URL.canParse(url)) return "***";
  const { protocol, username, password, host, pathname } = new URL(url);
  const login = username || password ? "***:***@" : "";
  return `${protocol}//${login}${host}${pathname === "/" ? "" : pathname}`;
}
