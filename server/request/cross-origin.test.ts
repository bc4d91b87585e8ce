import { describe, expect, test } from "vitest";
import { isCrossOrigin } from "./cross-origin.ts";

const ours = {
  method: "POST",
  host: "desk.example",
  secFetchSite: undefined,
  origin: undefined,
  hasCookie: false,
};

// C7
describe("a request that another site caused is refused", () => {
  test.each([
    ["Sec-Fetch-Site: same-origin", { secFetchSite: "same-origin" }, false],
    ["Sec-Fetch-Site: none", { secFetchSite: "none" }, false],
    ["Sec-Fetch-Site: same-site", { secFetchSite: "same-site" }, true],
    ["Sec-Fetch-Site: cross-site", { secFetchSite: "cross-site" }, true],
    ["Sec-Fetch-Site: an unknown word", { secFetchSite: "friendly" }, true],
    ["Sec-Fetch-Site: empty", { secFetchSite: "" }, true],
    [
      "cross-site, though the Origin is ours",
      { secFetchSite: "cross-site", origin: "https://desk.example" },
      true,
    ],
    ["same-origin, with a hidden Origin", { secFetchSite: "same-origin", origin: "null" }, false],
    ["our Origin", { origin: "https://desk.example" }, false],
    ["our Origin, with a cookie", { origin: "https://desk.example", hasCookie: true }, false],
    ["a foreign Origin", { origin: "https://evil.example" }, true],
    ["a subdomain's Origin", { origin: "https://x.desk.example" }, true],
    ["our name with another port", { origin: "https://desk.example:8443" }, true],
    ["Origin: null", { origin: "null" }, true],
    ["a malformed Origin", { origin: "desk.example" }, true],
    ["neither header, with a cookie", { hasCookie: true }, true],
    ["neither header, without a cookie", {}, false],
  ])("%s", (_, facts, expected) => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      expect(isCrossOrigin({ ...ours, ...facts, method }, undefined)).toBe(expected);
      expect(isCrossOrigin({ ...ours, ...facts, method }, "https://desk.example")).toBe(expected);
    }
    for (const method of ["GET", "HEAD", "OPTIONS"]) {
      expect(isCrossOrigin({ ...ours, ...facts, method }, undefined)).toBe(false);
    }
  });

  test("Origin is compared with the configured origin, whatever the Host", () => {
    const behindProxy = { ...ours, host: "127.0.0.1:3000", origin: "https://desk.example" };
    expect(isCrossOrigin(behindProxy, "https://desk.example")).toBe(false);
    expect(isCrossOrigin({ ...behindProxy, origin: "http://127.0.0.1:3000" }, "https://desk.example")).toBe(
      true,
    );
  });
});
