import { createServer } from "node:http";
import { expect, it } from "vitest";
import { seconds } from "~/lib/durations";
import { listenInTest } from "../../../server/fixtures/listen-in-test";
import { freePort } from "../../../scripts/free-port.mjs";
import { probeOrigin, lookUpMailRecords } from "./network-facts.server";

async function startOrigin(health: { status: number; date?: string }): Promise<string> {
  const server = createServer((request, response) => {
    if (health.date) response.setHeader("Date", health.date);
    response.writeHead(request.url === "/healthz" ? health.status : 404).end("ok");
  });
  return `http://127.0.0.1:${await listenInTest(server)}`;
}

// C34
it("requests ORIGIN's health and compares the clocks", async () => {
  const date = "Sun, 22 Nov 2026 12:00:00 GMT";
  const origin = await startOrigin({ status: 200, date });
  const clock = () => Date.parse(date) - seconds(90);
  expect(await probeOrigin(origin, clock)).toEqual({
    status: 200,
    clockAheadMs: 90_500,
    plainHttp: undefined,
  });
  const wrong = await startOrigin({ status: 421 });
  expect(await probeOrigin(wrong, Date.now)).toMatchObject({ status: 421 });
});

// C34
it("an ORIGIN that cannot be reached gives the network's error", async () => {
  const response = await probeOrigin(`http://127.0.0.1:${await freePort()}`, Date.now);
  expect(response).toEqual({ problem: "ECONNREFUSED" });
});

const failing = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));

// C34
it("finds SPF and DMARC among a domain's TXT records, split and at the parent domain too", async () => {
  const texts: Record<string, string[][]> = {
    "mail.confer.dev": [["site-verification=x"], ["v=spf1 include:", "confer.dev -all"]],
    "_dmarc.confer.dev": [["v=DMARC1; p=reject"]],
  };
  const records = async (name: string) => texts[name] ?? failing("ENOTFOUND")();
  const found = { hasSpf: true, hasDmarc: true };
  expect(await lookUpMailRecords("mail.confer.dev", records)).toEqual({
    ...found,
    dmarcDomain: "confer.dev",
  });
  texts["_dmarc.mail.confer.dev"] = [["v=DMARC1; p=none"]];
  expect(await lookUpMailRecords("mail.confer.dev", records)).toEqual({
    ...found,
    dmarcDomain: "mail.confer.dev",
  });
  expect(await lookUpMailRecords("other.dev", records)).toEqual({ hasSpf: false, hasDmarc: false });
});

// C34
it("DNS that does not respond leaves both records unknown", async () => {
  const nothing = { hasSpf: undefined, hasDmarc: undefined };
  expect(await lookUpMailRecords("confer.dev", failing("ETIMEOUT"))).toEqual(nothing);
});
