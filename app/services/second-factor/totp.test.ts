import { expect, it } from "vitest";
import { seconds } from "~/lib/durations";
import { findTimeStep, totpUri } from "./totp.server";

/** RFC 6238, appendix B: its secret in base32, and the last six of its eight digits. */
const SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

it.each([
  [59, "287082", 1],
  [1111111109, "081804", 37037036],
  [1111111111, "050471", 37037037],
  [1234567890, "005924", 41152263],
  [2000000000, "279037", 66666666],
  [20000000000, "353130", 666666666],
])("knows the code of the standard at %i s", (time, code, step) => {
  expect(findTimeStep(SECRET, code, seconds(time))).toBe(step);
  expect(findTimeStep(SECRET, code, seconds(time + 90))).toBeUndefined();
});

it.each(["", "28708", "2870822", "28708a", "２８７０８２", "287082\n"])("%j is nobody's code", (typed) => {
  expect(findTimeStep(SECRET, typed, seconds(59))).toBeUndefined();
});

it("tells the app whose key it is", () => {
  const uri = new URL(totpUri({ issuer: "Confer back office", label: "ada@example.com", secret: SECRET }));
  expect([uri.protocol, uri.host]).toEqual(["otpauth:", "totp"]);
  expect(decodeURIComponent(uri.pathname)).toBe("/Confer back office:ada@example.com");
  expect(Object.fromEntries(uri.searchParams)).toMatchObject({
    secret: SECRET,
    issuer: "Confer back office",
  });
});
