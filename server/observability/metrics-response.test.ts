import { Counter, Gauge, Registry } from "prom-client";
import { expect, test } from "vitest";
import { readExposition, getSampleValue } from "../../tests/exposition.ts";
import { createMetricsEndpoint } from "./metrics-response.ts";

const TOKEN = "a-token-of-thirty-two-characters";
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

function start(token: string | undefined = TOKEN, timeoutMs = 20) {
  const registry = new Registry();
  const signups = new Counter({ name: "signups_total", help: "Signups.", registers: [registry] });
  signups.inc(2);
  return { registry, endpoint: createMetricsEndpoint(registry, token, timeoutMs) };
}

test.each([
  ["no token", undefined],
  ["another token", `Bearer ${TOKEN.replace("a", "b")}`],
  ["a token that is longer", `Bearer ${TOKEN}x`],
  ["the beginning of the token", `Bearer ${TOKEN.slice(0, -1)}`],
  ["another scheme", `Basic ${TOKEN}`],
  ["the bare token", TOKEN],
  ["nothing after the scheme", "Bearer "],
])("a request with %s is a 404", async (_, authorization) => {
  const answer = await start().endpoint.answer("/metrics", { authorization });
  expect(answer).toMatchObject({ status: 404, message: "There is nothing here." });
});

test("every request is a 404 while no token is set", async () => {
  const endpoint = createMetricsEndpoint(new Registry(), undefined);
  for (const token of [TOKEN, "undefined", ""]) {
    expect(await endpoint.answer("/metrics", bearer(token))).toMatchObject({ status: 404 });
  }
});

test("other paths are not answered", () => {
  expect(start().endpoint.answer("/metrics/x", bearer(TOKEN))).toBeUndefined();
});

test.each<[string, () => Promise<void>]>([
  ["never ends", () => new Promise(() => {})],
  ["fails", () => Promise.reject(new Error("secret"))],
])("a refresh by the application that %s does not delay the response", async (_, refresh) => {
  const { endpoint } = start();
  endpoint.beforeScrape(refresh);
  const answer = await endpoint.answer("/metrics", bearer(TOKEN));
  expect(answer).toMatchObject({ status: 200 });
  expect(answer!.message).toContain("\nsignups_total 2\n");
  expect(answer!.message).not.toContain("secret");
});

test("refreshes the metrics before each scrape, once for all", async () => {
  const { registry, endpoint } = start(TOKEN, 1000);
  const refreshes = new Gauge({ name: "refreshes", help: "Times.", registers: [registry] });
  endpoint.beforeScrape(async () => refreshes.inc());
  const scrape = async () => {
    const answer = await endpoint.answer("/metrics", bearer(TOKEN));
    return getSampleValue(readExposition(answer!.message), "refreshes");
  };
  expect(await Promise.all([scrape(), scrape(), scrape()])).toEqual([1, 1, 1]);
  expect(await scrape()).toBe(2);
});
