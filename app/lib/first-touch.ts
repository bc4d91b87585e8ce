/* The landing page loads this file, so it imports nothing; whoever stores a source cleans it (source.ts). */

/** No link led to the page: its address was typed, bookmarked, or opened by a program that says nothing. */
export const DIRECT_SOURCE = "direct";

const CAMPAIGN_PARAMETERS = ["utm_source", "utm_medium", "utm_campaign"];

/** Code units of a parameter that are read. */
const MAX_READ = 100;

/** What a page knows of where its visitor came from. */
interface FirstTouch {
  /** The query of its address, with or without the question mark. */
  readonly search: string;
  /** The address of the page that led there; empty without one. */
  readonly referrer: string;
  /** The page's own host, with its port: what it leads to itself says nothing. */
  readonly host: string;
}

/**
 * Returns where a visitor came from, to be cleaned by `cleanSource`: "newsletter / email / spring" by utm_source,
 * utm_medium and utm_campaign, else "via ada" by `via`, else the host that led here without "www.", else "direct".
 */
export function getSource({ search, referrer, host }: FirstTouch): string {
  // The guard reads most visits by this alone.
  if (search === "" && referrer === "") return DIRECT_SOURCE;
  const query = new URLSearchParams(search);
  const read = (name: string) => query.get(name)?.trim().slice(0, MAX_READ) ?? "";
  const campaign = CAMPAIGN_PARAMETERS.map(read).filter((part) => part !== "");
  if (campaign.length > 0) return campaign.join(" / ");
  const via = read("via");
  if (via !== "") return `via ${via}`;
  const from = URL.canParse(referrer) ? new URL(referrer) : undefined;
  if (!from || from.host === host) return DIRECT_SOURCE;
  return from.hostname.replace(/^www\./, "") || DIRECT_SOURCE;
}

/**
 * Remembers in this tab how its visit began: the first page's query and the address that led there, under 1 KiB (both
 * are ASCII, as a URL is), until the tab is closed. Where the storage is forbidden the source stays unknown. A cached
 * page calls it as text (server/cache/delay-scripts.ts): it may use nothing of this module.
 */
export function rememberFirstTouch(): void {
  try {
    sessionStorage["first-touch"] ??= `${location.search.slice(0, 700)}\n${document.referrer.slice(0, 200)}`;
  } catch {
    return;
  }
}

/** Returns the source of this tab's visit (source.ts), which may begin here; "" when it is not known. In the browser only. */
export function getFirstSource(): string {
  rememberFirstTouch();
  try {
    const stored = sessionStorage.getItem("first-touch");
    if (stored === null) return "";
    const [search = "", referrer = ""] = stored.split("\n");
    return getSource({ search, referrer, host: location.host });
  } catch {
    return "";
  }
}
