import { createHash } from "node:crypto";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { ask, open, parseAnswer, readAll } from "../../server/fixtures/raw-http";
import { removeAfterTest } from "../fixture";
import { startServer } from "../server-process";
import { waitUntil } from "../wait-until";
import { logLines } from "./visitors";
import { useServer, useSuperadmin } from "./use-server";

const server = useServer({});
const superadmin = useSuperadmin(server);
beforeAll(async () => {
  // The first visitor waits for the rendering; all tests below find it made.
  await server.fetch("/");
});

const get = (path = "/", headers: Record<string, string> = {}, of = server) =>
  ask(of.port, `GET ${path}`, headers);
/** Returns whether the response came from the cache. */
const isCached = ({ headers }: { headers: Readonly<Record<string, string>> }) => headers.etag !== undefined;

describe("the cached landing page", () => {
  it("is the same for two visitors, whatever their headers", async () => {
    const one = await get();
    const other = await get("/?utm_source=mail", {
      Cookie: "theme=dark",
      "User-Agent": "another",
      "Accept-Language": "de",
      Referer: "https://a.example/",
    });
    expect(one.status).toBe(200);
    expect(one.headers.etag).toMatch(/^"[\w-]{22}"$/);
    expect(other.headers.etag).toBe(one.headers.etag);
    expect(other.body).toBe(one.body);
    expect(one.headers["x-request-id"]).not.toBe(other.headers["x-request-id"]);
  });

  // C16
  it("has no nonce, and a policy with the hashes of exactly its inline scripts", async () => {
    const { body, headers } = await get();
    const html = Buffer.from(body, "latin1").toString();
    expect(html).not.toContain("nonce=");
    const scripts = [...html.matchAll(/<script\b([^>]*)>(.*?)<\/script>/gs)].filter(
      // Data between script tags is no script: no policy stops it, and nothing runs it.
      ([, attributes = ""]) => !/ src=|ld\+json/.test(attributes),
    );
    const hashes = scripts.map(([, , code = ""]) => createHash("sha256").update(code).digest("base64"));
    expect(hashes.length).toBeGreaterThan(2);
    const allowed = /script-src 'self' ([^;]*);/.exec(headers["content-security-policy"] ?? "")?.[1];
    expect(allowed?.split(" ").toSorted()).toEqual(
      [...new Set(hashes)].map((hash) => `'sha256-${hash}'`).toSorted(),
    );
  });

  it("is not used for a session or for parameters of the application", async () => {
    for (const answer of [
      await get("/", superadmin.headers),
      await get("/?notice=registered"),
      await get("/_root.data"),
    ]) {
      expect([answer.status, isCached(answer)]).toEqual([200, false]);
    }
    expect(isCached(await get("/", { Cookie: "theme=dark" }))).toBe(true);
  });

  // C38
  it("is served for a forged session cookie", async () => {
    const session = superadmin.cookie;
    for (const forged of ["sid=forged", "sid=", `${session}x`, session.replace(/=.{4}/, "=AAAA")]) {
      const answer = await get("/", { Cookie: forged });
      expect([forged, answer.status, isCached(answer)]).toEqual([forged, 200, true]);
    }
  });

  it("is served in the preferred encoding, each with its own ETag and length", async () => {
    const plain = await server.fetch("/", { headers: { "Accept-Encoding": "identity" } });
    const html = await plain.text();
    const unpack = { br: brotliDecompressSync, gzip: gunzipSync };
    for (const [accepted, encoding] of [
      ["gzip, deflate, br, zstd", "br"],
      ["br;q=0.5, gzip", "gzip"],
    ] as const) {
      const { headers, body } = await get("/", { "Accept-Encoding": accepted });
      const bytes = Buffer.from(body, "latin1");
      expect(headers["content-encoding"]).toBe(encoding);
      expect(headers["content-length"]).toBe(String(bytes.length));
      expect(headers.etag).toBe(plain.headers.get("ETag")?.replace(/"$/, `-${encoding}"`));
      expect(unpack[encoding](bytes).toString()).toBe(html);
    }
  });

  it("is answered 304 when the visitor has this rendering", async () => {
    const br = { "Accept-Encoding": "br" };
    const { headers, body } = await get("/", br);
    const etag = headers.etag ?? "";
    for (const known of [etag, `"older", W/${etag}`, "*"]) {
      const answer = await get("/", { ...br, "If-None-Match": known });
      expect([answer.status, answer.body]).toEqual([304, ""]);
      // The policy of the stored page stays; all else is the same as with the page.
      const ofPage = ["content-security-policy", "reporting-endpoints"];
      const ofBody = ["content-type", "content-length", "content-encoding", "date", "x-request-id"];
      const same = Object.entries(headers).filter(([name]) => ![...ofPage, ...ofBody].includes(name));
      const { date: _, "x-request-id": __, ...otherHeaders } = answer.headers;
      expect(otherHeaders).toEqual(Object.fromEntries(same));
    }
    for (const known of ['"older"', etag.replace("-br", "-gzip"), etag.slice(1, -1)]) {
      const answer = await get("/", { ...br, "If-None-Match": known });
      expect([answer.status, answer.body]).toEqual([200, body]);
    }
  });

  it("is subject to the host check, and logged", async () => {
    const named = removeAfterTest(await startServer({ ORIGIN: "http://desk.example" }));
    expect((await get("/", { Host: "evil.example" }, named)).status).toBe(421);
    const page = await get("/", { Host: "desk.example" }, named);
    expect([page.status, isCached(page)]).toEqual([200, true]);
    const lines = () => logLines(named).filter(({ msg, path }) => msg === "request" && path === "/");
    await waitUntil(() => lines().length === 2);
    expect(lines().map(({ status }) => status)).toEqual([421, 200]);
    expect(lines()[1]).toMatchObject({ id: page.headers["x-request-id"], method: "GET", aborted: false });
  });

  it("closes the connection when the server drains", async () => {
    await server.fetch("/");
    // Half a request is on its way already, so this connection outlives the closing of the door.
    const late = await open(server.port);
    const answered = readAll(late);
    late.write("GET / HTTP/1.1\r\nHost:");
    const exit = server.stop();
    await waitUntil(() => server.output().includes('"msg":"draining"'));
    late.write(" localhost\r\n\r\n");
    const answer = parseAnswer(await answered);
    expect([answer.status, isCached(answer), answer.headers.connection]).toEqual([200, true, "close"]);
    expect(await exit).toBe(0);
  });
});
