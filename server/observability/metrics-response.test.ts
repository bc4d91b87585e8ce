import { Counter, Gauge, Registry } from "prom-client";
import { expect, test } from "vitest";
import { readExposition, getSampleValue } from "../../tests/exposition.ts";
import { createMetricsEndpoint } from "./metrics-response.ts";

const TOKEN = "a-token-of-thirty-two-characters";
const bearer = (token: string, accept?: string) => ({ authorization: `Bearer ${token}`, accept });

function start(token: string | undefined = TOKEN, timeoutMs = 20) {
  const registry = new Registry();
  const signups = new Counter({ name: "signups_total", help: "Signups.", registers: [registry] });
  signups.inc(2);
  return { registry, scrapes: createMetricsEndpoint(registry, token, timeoutMs) };
}

test.each([
  ["nothing", undefined],
  ["another token", `Bearer ${TOKEN.replace("a", "b")}`],
  ["a token that is longer", `Bearer ${TOKEN}x`],
  ["the beginning of it", `Bearer ${TOKEN.slice(0, -1)}`],
  ["another scheme", `Basic ${TOKEN}`],
  ["the bare token", TOKEN],
  ["nothing after the scheme", "Bearer "],
])("nothing is there for who says %s", async (_, authorization) => {
  const answer = await start().scrapes.answer("/metrics", { authorization });
  expect(answer).toMatchObject({ status: 404, message: "There is nothing here." });
});

test("nothing is there for anybody while no token is set", async () => {
  const scrapes = createMetricsEndpoint(new Registry(), undefined);
  for (const token of [TOKEN, "undefined", ""]) {
    expect(await scrapes.answer("/metrics", bearer(token))).toMatchObject({ status: 404 });
  }
});

test("other paths are none of its business", () => {
  expect(start().scrapes.answer("/metrics/x", bearer(TOKEN))).toBeUndefined();
});

test("the format is Prometheus' own unless OpenMetrics is asked for, and one does not change the other", async () => {
  const { scrapes } = start();
  const ask = (accept?: string) => scrapes.answer("/metrics", bearer(TOKEN, accept));
  const open = await ask("application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3");
  const text = await ask("text/plain;version=0.0.4");
  expect(open).toMatchObject({ contentType: "application/openmetrics-text; version=1.0.0; charset=utf-8" });
  expect(text).toMatchObject({ contentType: "text/plain; version=0.0.4; charset=utf-8" });
  const families = readExposition(text!.message);
  const openFamilies = readExposition(open!.message, "openmetrics");
  expect([...families.keys(), ...openFamilies.keys()]).toEqual(["signups_total", "signups"]);
  expect([getSampleValue(families, "signups_total"), getSampleValue(openFamilies, "signups_total")]).toEqual([
    2, 2,
  ]);
});

test.each<[string, () => Promise<void>]>([
  ["never comes", () => new Promise(() => {})],
  ["fails", () => Promise.reject(new Error("secret"))],
])("what the application %s with does not keep the rest back", async (_, refresh) => {
  const { scrapes } = start();
  scrapes.beforeScrape(refresh);
  const answer = await scrapes.answer("/metrics", bearer(TOKEN));
  expect(answer).toMatchObject({ status: 200 });
  expect(answer!.message).toContain("\nsignups_total 2\n");
  expect(answer!.message).not.toContain("secret");
});

test("the application is asked before each scrape, and once however many ask at once", async () => {
  const { registry, scrapes } = start(TOKEN, 1000);
  const asked = new Gauge({ name: "asked", help: "Times.", registers: [registry] });
  scrapes.beforeScrape(async () => asked.inc());
  const scrape = async () => {
    const answer = await scrapes.answer("/metrics", bearer(TOKEN));
    return getSampleValue(readExposition(answer!.message), "asked");
  };
  expect(await Promise.all([scrape(), scrape(), scrape()])).toEqual([1, 1, 1]);
  expect(await scrape()).toBe(2);
});
