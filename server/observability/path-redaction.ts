import { CAPABILITY_PATHS } from "../../app/paths.ts";
import { readTarget, withoutQuery } from "../request/request-target.ts";

/** The maximum length in a log; longer paths are refused (414), and a refused one need not be logged whole. */
const MAX_SHOWN = 256;

/**
 * Redacts a path for the log: no query, no capability, at most 256 characters.
 * @param target the result of readTarget, where it is known already.
 */
export function redactPath(url: string, target = readTarget(url)): string {
  const segments = (target?.path ?? url.toLowerCase()).split(/[/\\]+/).filter(Boolean);
  for (const before of CAPABILITY_PATHS) {
    const hasCapability = target ? startsWith(segments, before) : mentions(segments, before);
    if (hasCapability) return `/${before.join("/")}/:token`;
  }
  return (target?.pathname ?? withoutQuery(url)).slice(0, MAX_SHOWN);
}

function startsWith(segments: readonly string[], before: readonly string[]): boolean {
  return segments.length > before.length && before.every((name, at) => segments[at] === name);
}

/** Finds the names before a capability anywhere in the path: a malformed path cannot be resolved. */
function mentions(segments: readonly string[], names: readonly string[]): boolean {
  const texts = segments.map(decodeLeniently);
  return names.every((name) =>
    texts.some((text) => (name.length > 1 ? text.includes(name) : isPart(text, name))),
  );
}

/** A name of one letter is in nearly every text. */
const isPart = (text: string, name: string) => text.split(/[/\\?#]/).includes(name);

function decodeLeniently(text: string): string {
  return text
    .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .toLowerCase();
}
