import { readTarget, withoutQuery } from "../request/request-target.ts";

/**
 * Paths whose next segment is a capability: whoever reads it may act as its owner, so no log may hold it (C24).
 * A new route with a token in its path belongs here.
 */
const CAPABILITY_PATHS = [["unsubscribe"], ["updates", "confirm"]] as const;

/** Longer paths are refused (414); what was refused need not be kept whole. */
const MAX_SHOWN = 256;

/**
 * The path as a log may show it: no query, no capability, never longer than 256 characters.
 * @param target what readTarget says of it, where that is known already.
 */
export function redactPath(url: string, target = readTarget(url)): string {
  const segments = (target?.path ?? url.toLowerCase()).split(/[/\\]+/).filter(Boolean);
  for (const before of CAPABILITY_PATHS) {
    const holdsOne = target ? leadsOn(segments, before) : mentions(segments, before);
    if (holdsOne) return `/${before.join("/")}/:token`;
  }
  return (target?.pathname ?? withoutQuery(url)).slice(0, MAX_SHOWN);
}

function leadsOn(segments: readonly string[], before: readonly string[]): boolean {
  return segments.length > before.length && before.every((name, at) => segments[at] === name);
}

/** A malformed path cannot be resolved, so the names before a capability anywhere in it are enough. */
function mentions(segments: readonly string[], names: readonly string[]): boolean {
  return names.every((name) => segments.some((segment) => decodeLeniently(segment).includes(name)));
}

function decodeLeniently(text: string): string {
  return text
    .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .toLowerCase();
}
