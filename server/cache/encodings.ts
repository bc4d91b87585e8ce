/** Content codings (RFC 9110, section 12.5.3) in our order: what is smaller first. */
const ENCODINGS = ["br", "gzip", "identity"] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Unlisted, `identity` is welcome, but less than anything that was asked for. */
const UNLISTED_IDENTITY = 0.0001;

/**
 * @param accepted the Accept-Encoding header, "" when there is none.
 * @returns the coding the visitor likes best, the smaller one when they like two the same. Who refuses every one gets
 * `identity`: better an answer than none.
 */
export function getPreferredEncoding(accepted: string): Encoding {
  const weights = parseWeights(accepted);
  const getWeight = (encoding: Encoding) =>
    weights.get(encoding) ?? weights.get("*") ?? (encoding === "identity" ? UNLISTED_IDENTITY : 0);
  const best = ENCODINGS.reduce((a, b) => (getWeight(b) > getWeight(a) ? b : a));
  return getWeight(best) > 0 ? best : "identity";
}

/** `gzip;q=0.5, br` -> gzip 0.5, br 1. A weight that is no number counts as 0. */
function parseWeights(accepted: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const entry of accepted.toLowerCase().split(",")) {
    const [name = "", ...parameters] = entry.split(";").map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith("q="));
    weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)) || 0);
  }
  return weights;
}
