import { readTarget, withoutQuery } from "./request-target.ts";

/**
 * Paths whose next segment is a capability: whoever reads it may act as its owner, so no log may hold it (C24).
 * A new route with a token in its path belongs here.
 */
const CAPABILITY_PATHS = [{ segment: "unsubscribe", shown: "/unsubscribe/:token" }] as const;

/** Longer paths are refused (414); what was refused need not be kept whole. */
const MAX_SHOWN = 256;

/**
 * The path as a log may show it: no query, no capability, never longer than 256 characters.
 * @param target what readTarget says of it, where that is known already.
 */
export function redactPath(url: string, target = readTarget(url)): string {
  const segments = (target?.path ?? url.toLowerCase()).split(/[/\\]+/).filter(Boolean);
  for (const { segment, shown } of CAPABILITY_PATHS) {
    if (target ? segments[0] === segment && segments.length > 1 : mentions(segments, segment)) return shown;
  }
  return (target?.pathname ?? withoutQuery(url)).slice(0, MAX_SHOWN);
}

/** A malformed path cannot be resolved, so the capability's name anywhere in it is enough. */
function mentions(segments: readonly string[], name: string): boolean {
  return segments.some((segment) => decodeLeniently(segment).includes(name));
}

function decodeLeniently(text: string): string {
  return text
    .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .toLowerCase();
}
