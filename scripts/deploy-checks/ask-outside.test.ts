import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { seconds } from "~/lib/durations";
import { askOrigin, lookUpMailRecords } from "./ask-outside";

async function originThat(answers: { status: number; date?: string }): Promise<string> {
  const server = createServer((request, response) => {
    if (answers.date) response.setHeader("Date", answers.date);
    response.writeHead(request.url === "/healthz" ? answers.status : 404).end("ok");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it("asks for health at ORIGIN and compares the clocks (C34)", async () => {
  const date = "Sun, 22 Nov 2026 12:00:00 GMT";
  const origin = await originThat({ status: 200, date });
  const clock = () => Date.parse(date) - seconds(90);
  expect(await askOrigin(origin, clock)).toEqual({ status: 200, clockAheadMs: 90_500, plainHttp: undefined });
  const wrong = await originThat({ status: 421 });
  expect(await askOrigin(wrong, Date.now)).toMatchObject({ status: 421 });
});

it("an ORIGIN where nobody answers says so in the network's words (C34)", async () => {
  const nobody = createServer().listen(0, "127.0.0.1");
  await once(nobody, "listening");
  const { port } = nobody.address() as AddressInfo;
  nobody.close();
  const answer = await askOrigin(`http://127.0.0.1:${port}`, Date.now);
  expect(answer).toEqual({ trouble: "ECONNREFUSED" });
});

const failing = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));

it("finds SPF and DMARC among a domain's texts, in pieces and above it too (C34)", async () => {
  const texts: Record<string, string[][]> = {
    "mail.confer.dev": [["site-verification=x"], ["v=spf1 include:", "confer.dev -all"]],
    "_dmarc.confer.dev": [["v=DMARC1; p=reject"]],
  };
  const records = async (name: string) => texts[name] ?? failing("ENOTFOUND")();
  expect(await lookUpMailRecords("mail.confer.dev", records)).toEqual({ hasSpf: true, hasDmarc: true });
  expect(await lookUpMailRecords("other.dev", records)).toEqual({ hasSpf: false, hasDmarc: false });
});

it("DNS that does not answer says nothing of a domain (C34)", async () => {
  const nothing = { hasSpf: undefined, hasDmarc: undefined };
  expect(await lookUpMailRecords("confer.dev", failing("ETIMEOUT"))).toEqual(nothing);
});
