import { expect, it, vi } from "vitest";
import { LandingVisits } from "./landing-visits.ts";

const DAY = Date.UTC(2026, 10, 21);
const VISIT = {
  host: "launch.example",
  "sec-fetch-mode": "navigate",
  "sec-fetch-dest": "document",
  "sec-fetch-site": "cross-site",
};

/** Counts one request, by its URL and what differs from a visit's headers. */
function countOne(url: string, headers: Record<string, string | undefined> = {}, method = "GET") {
  const visits = new LandingVisits(() => DAY + 1000);
  visits.count({ method, url, headers: { ...VISIT, ...headers } });
  return visits.take();
}

it.each([
  ["/", {}, "direct"],
  ["/", { "sec-fetch-site": "none" }, "direct"],
  ["/", { referer: "https://news.example/item?id=1" }, "news.example"],
  ["/?utm_source=Mail&utm_campaign=May", { referer: "https://news.example/" }, "mail / may"],
  ["/?via=ada", {}, "via ada"],
  ["/?via=ada&ref=unknown", {}, "via ada"],
])("%s with %j is a visit from %s", (url, headers, source) => {
  expect(countOne(url, headers)).toEqual([{ day: DAY, source, count: 1 }]);
});

it.each([
  ["a program's request", { "sec-fetch-mode": undefined }],
  ["a script's request", { "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" }],
  ["a frame", { "sec-fetch-dest": "iframe" }],
  ["a link of ours", { "sec-fetch-site": "same-origin" }],
  ["a page fetched in advance", { "sec-purpose": "prefetch" }],
])("%s is no visit", (_, headers) => {
  expect(countOne("/", headers)).toEqual([]);
});

it.each([
  ["HEAD", "/"],
  ["POST", "/?index"],
  ["GET", "/early-access"],
])("%s %s is no visit", (method, url) => {
  expect(countOne(url, {}, method)).toEqual([]);
});

it("visits are taken once, and put back when they could not be stored", () => {
  const now = vi.fn(() => DAY + 1000);
  const visits = new LandingVisits(now);
  const visit = () => visits.count({ method: "GET", url: "/", headers: VISIT });
  visit();
  visit();
  const taken = visits.take();
  expect(taken).toEqual([{ day: DAY, source: "direct", count: 2 }]);
  expect(visits.take()).toEqual([]);
  now.mockReturnValue(DAY + 86_400_000);
  visit();
  visits.putBack(taken);
  expect(visits.take()).toEqual([
    { day: DAY + 86_400_000, source: "direct", count: 1 },
    { day: DAY, source: "direct", count: 2 },
  ]);
});

it("a flood of sources is counted as other", () => {
  const visits = new LandingVisits(() => DAY);
  for (let n = 0; n < 5000; n++) {
    visits.count({ method: "GET", url: `/?utm_source=flood${n}`, headers: VISIT });
  }
  const counts = visits.take();
  expect(counts).toHaveLength(201);
  expect(counts.find(({ source }) => source === "other")?.count).toBe(4800);
});
