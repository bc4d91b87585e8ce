import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import { memoize } from "../request/memoize.ts";

/** Content codings (RFC 9110, section 12.5.3) in order of preference: smaller first. */
const ENCODINGS = ["br", "gzip", "identity"] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** The weight of an unlisted `identity`: acceptable, but below every listed coding. */
const UNLISTED_IDENTITY = 0.0001;

/** Returns the coding with the highest weight, the smaller of equals; `identity` when the client refuses all. */
export function getPreferredEncoding(accepted: string): Encoding {
  const weights = parseWeights(accepted);
  const getWeight = (encoding: Encoding) =>
    weights.get(encoding) ?? weights.get("*") ?? (encoding === "identity" ? UNLISTED_IDENTITY : 0);
  const best = ENCODINGS.reduce((a, b) => (getWeight(b) > getWeight(a) ? b : a));
  return getWeight(best) > 0 ? best : "identity";
}

/** `gzip;q=0.5, br` -> gzip 0.5, br 1. A weight that is not a number counts as 0. */
function parseWeights(accepted: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const entry of accepted.toLowerCase().split(",")) {
    const [name = "", ...parameters] = entry.split(";").map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith("q="));
    weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)) || 0);
  }
  return weights;
}

/** {@link getPreferredEncoding}, remembered: browsers send few different headers. */
export const getEncoding = memoize(getPreferredEncoding);

export const compressBrotli = promisify(brotliCompress);
export const compressGzip = promisify(gzip);
