import { expect, test } from "vitest";
import { isLandingPageRequest, hasSessionCookie } from "./landing-request.ts";

test.each([
  ["GET", "/"],
  ["HEAD", "/"],
  ["GET", "/?utm_source=mail&utm_campaign=launch%201"],
  ["GET", "/?gclid=1"],
  ["GET", "/?utm_source=google&gad_source=1&gad_campaignid=2&gbraid=3&wbraid=4"],
  ["GET", "/?msclkid=1"],
  ["GET", "/?mc_cid=1&mc_eid=2"],
  ["GET", "/?via=ada"],
])("%s %s is a request for the landing page", (method, url) =>
  expect(isLandingPageRequest({ method, url })).toBe(true),
);

test.each([
  ["POST", "/"],
  ["GET", "/early-access"],
  ["GET", "/_root.data"],
  ["GET", "//"],
  ["GET", "/?"],
  ["GET", "/?index"],
  ["GET", "/?notice=registered"],
  ["GET", "/?utm_source=mail&notice=registered"],
  ["GET", "/?_data=root"],
  ["GET", "/?_routes=root"],
])("%s %s is left to the application", (method, url) =>
  expect(isLandingPageRequest({ method, url })).toBe(false),
);

test.each<[boolean, boolean, string | undefined]>([
  [false, false, undefined],
  [false, false, "theme=dark; residence=sid=1; visitor=sid"],
  [false, false, "__Host-sid=1"],
  [false, true, "sid=1"],
  [true, false, "theme=dark; sid=1"],
  [true, false, "sid="],
  [true, true, "theme=dark;__Host-sid=1"],
])("%s: with https %s, the cookies %j contain a session cookie", (carries, https, cookies) =>
  expect(hasSessionCookie(cookies, https)).toBe(carries),
);
