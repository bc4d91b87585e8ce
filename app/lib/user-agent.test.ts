import { expect, it } from "vitest";
import { describeUserAgent } from "./user-agent";

const WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)";
const APPLE = "AppleWebKit/605.1.15 (KHTML, like Gecko)";

it.each([
  ["Firefox on Linux", "X11; Linux x86_64; rv:145.0", "Gecko/20100101 Firefox/145.0"],
  ["Firefox on Windows", "Windows NT 10.0; Win64; x64; rv:145.0", "Gecko/20100101 Firefox/145.0"],
  ["Firefox on iOS", "iPhone; CPU iPhone OS 18_1 like Mac OS X", `${APPLE} FxiOS/145.0 Safari/605.1.15`],
  ["Chrome on macOS", "Macintosh; Intel Mac OS X 10_15_7", `${WEBKIT} Chrome/143.0.0.0 Safari/537.36`],
  ["Chrome on Android", "Linux; Android 10; K", `${WEBKIT} Chrome/143.0.0.0 Mobile Safari/537.36`],
  ["Chrome on ChromeOS", "X11; CrOS x86_64 14541.0.0", `${WEBKIT} Chrome/143.0.0.0 Safari/537.36`],
  ["Chrome on iPadOS", "iPad; CPU OS 18_1 like Mac OS X", `${APPLE} CriOS/143.0 Safari/604.1`],
  ["Chrome on Linux", "X11; Linux x86_64", `${WEBKIT} HeadlessChrome/143.0.0.0 Safari/537.36`],
  ["Edge on Android", "Linux; Android 10; K", `${WEBKIT} Chrome/143.0.0.0 Safari/537.36 EdgA/143.0.0.0`],
  [
    "Opera on macOS",
    "Macintosh; Intel Mac OS X 10_15_7",
    `${WEBKIT} Chrome/142.0 Safari/537.36 OPR/127.0.0.0`,
  ],
  ["Samsung Internet on Android", "Linux; Android 14", `${WEBKIT} SamsungBrowser/29.0 Chrome/136.0.0.0`],
  ["Safari on macOS", "Macintosh; Intel Mac OS X 10_15_7", `${APPLE} Version/26.1 Safari/605.1.15`],
])("finds %s in Mozilla/5.0 (%s) %s", (words, platform, tokens) => {
  expect(describeUserAgent(`Mozilla/5.0 (${platform}) ${tokens}`)).toBe(words);
});

it.each([
  ["Unknown browser on Linux", "Links (2.29; Linux 6.1 x86_64; GNU C 12; text)"],
  ["Unknown browser", "curl/8.14.1"],
  ["Unknown browser", ""],
])("finds %s in %j", (words, userAgent) => {
  expect(describeUserAgent(userAgent)).toBe(words);
});
