import { expect, test } from "vitest";
import { asksForLandingPage } from "./landing-request.ts";

const asks = (method: string, url: string, cookie?: string, https = false) =>
  asksForLandingPage({ method, url, headers: cookie === undefined ? {} : { cookie } }, https);

test.each([
  ["GET", "/"],
  ["HEAD", "/"],
  ["GET", "/?utm_source=mail&utm_campaign=launch%201"],
  ["GET", "/?gclid=1"],
  ["GET", "/", "theme=dark; residence=sid=1; visitor=sid"],
  ["GET", "/", "__Host-sid=1"],
  ["GET", "/", "sid=1", true],
])("%s %s with the cookie %j is answered by the kept page", (method, url, cookie?: string, https?: boolean) =>
  expect(asks(method, url, cookie, https)).toBe(true),
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
  ["GET", "/", "theme=dark; sid=1"],
  ["GET", "/", "sid="],
  ["GET", "/", "theme=dark;__Host-sid=1", true],
])("%s %s with the cookie %j is the application's", (method, url, cookie?: string, https?: boolean) =>
  expect(asks(method, url, cookie, https)).toBe(false),
);
