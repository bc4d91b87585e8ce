import { expect, test } from "vitest";
import { getPreferredEncoding } from "./content-encoding.ts";

test.each([
  ["", "identity"],
  ["gzip, deflate, br, zstd", "br"],
  ["gzip, deflate", "gzip"],
  ["GZIP", "gzip"],
  ["deflate", "identity"],
  ["*", "br"],
  ["*;q=0", "identity"],
  ["br;q=0, *", "gzip"],
  ["gzip;q=1.0, br;q=0.5", "gzip"],
  ["gzip;q=0.5 , br;q=0.5", "br"],
  ["br; q=0, gzip; q=0", "identity"],
  ["identity;q=0, gzip;q=0.001", "gzip"],
  ["identity, gzip;q=0.5", "identity"],
  ["identity;q=0", "identity"],
  ["br;q=nonsense, gzip;q=0.1", "gzip"],
])("Accept-Encoding %j is served %s", (accepted, expected) =>
  expect(getPreferredEncoding(accepted)).toBe(expected),
);
