/** Browsers by their first distinctive token: nearly every browser also claims to be Chrome and Safari. */
const BROWSERS = [
  ["Edge", /\bEdg(?:e|A|iOS)?\//],
  ["Opera", /\bOPR\/|\bOPiOS\//],
  ["Samsung Internet", /\bSamsungBrowser\//],
  ["Vivaldi", /\bVivaldi\//],
  ["Firefox", /\bFirefox\/|\bFxiOS\//],
  ["Chrome", /\b(?:Headless)?Chrome\/|\bCriOS\//],
  ["Safari", /\bVersion\/[\d.]+ .*\bSafari\//],
] as const;

/** Android also says Linux, ChromeOS also X11, iPhones also "like Mac OS X". */
const SYSTEMS = [
  ["iPadOS", /\biPad\b/],
  ["iOS", /\biPhone\b|\biPod\b/],
  ["Android", /\bAndroid\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["Windows", /\bWindows\b/],
  ["macOS", /\bMacintosh\b/],
  ["Linux", /\bLinux\b|\bX11\b/],
] as const;

/** Browsers send half of this; the pattern of Safari takes quadratic time. */
const MAX_LENGTH = 300;

/** Describes a User-Agent header, which is a claim, for recognising one's own devices: "Firefox on Linux". */
export function describeUserAgent(header: string): string {
  const userAgent = header.slice(0, MAX_LENGTH);
  const browser = nameIn(BROWSERS, userAgent) ?? "Unknown browser";
  const system = nameIn(SYSTEMS, userAgent);
  return system ? `${browser} on ${system}` : browser;
}

function nameIn(known: readonly (readonly [string, RegExp])[], userAgent: string): string | undefined {
  return known.find(([, pattern]) => pattern.test(userAgent))?.[0];
}
