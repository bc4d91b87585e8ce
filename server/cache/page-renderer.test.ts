import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { describe, expect, test } from "vitest";
import { PageRenderer, toCacheableContent } from "./page-renderer.ts";

const NONCE = "bm9uY2Utb2YtdGhlLXBhZ2U=";
const deps = { host: "desk.example", newRequestId: () => "id", newNonce: () => NONCE };
const sha256 = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const page = (inside: string) => `<!DOCTYPE html><html><body>${inside}</body></html>`;
const read = (html: string, changes: object = {}) =>
  toCacheableContent(
    "/",
    { answer: { statusCode: 200, headers: { "content-type": "text/html" }, ...changes }, html },
    NONCE,
  );

// C16
describe("a cacheable page", () => {
  test("has no nonce, and the hash of every inline script that carried it", () => {
    const marked = (code: string) => `<script type="module" nonce="${NONCE}">${code}</script>`;
    const { body, scripts } = read(page(`${marked('import "/a.js"')}${marked("let é = '<b>'")}`));
    expect(body.toString()).toBe(
      page(`<script type="module">import "/a.js"</script><script type="module">let é = '<b>'</script>`),
    );
    expect(scripts).toBe(`'self' ${sha256('import "/a.js"')} ${sha256("let é = '<b>'")}`);
  });

  test("has no hash of scripts without the nonce or with a src", () => {
    const file = `<script nonce="${NONCE}" src="/a.js"></script>`;
    expect(read(page(`${file}<script>evil()</script><script nonce="">evil()</script>`)).scripts).toBe(
      "'self'",
    );
  });

  test.each([
    ["an error", page(""), { statusCode: 500 }],
    ["a redirect", "", { statusCode: 303 }],
    ["another content type", "{}", { headers: { "content-type": "application/json" } }],
    ["an incomplete page", "<!DOCTYPE html><html><body>", {}],
    [
      "a page for one visitor",
      page(""),
      { headers: { "content-type": "text/html", "set-cookie": ["visitor=1"] } },
    ],
    ["a page with its nonce in its text", page(NONCE), {}],
  ])("is not %s", (_, html, changes) => expect(() => read(html, changes)).toThrow());
});

describe("a rendering", () => {
  test("is requested anonymously, on a connection that the renderer recognises", async () => {
    const renderer = new PageRenderer(deps);
    const server = createServer(({ headers, socket }, response) => {
      response.setHeader("Content-Type", "text/html");
      const context = renderer.getContext(socket);
      response.end(page(JSON.stringify({ headers, context }).replace(NONCE, "N")));
    });
    renderer.useServer(server);
    const { body } = await renderer.render("/");
    expect(JSON.parse(/\{.*\}/.exec(body.toString())?.[0] ?? "")).toEqual({
      headers: {
        host: "desk.example",
        "accept-encoding": "identity",
        connection: "close",
      },
      context: { requestId: "id", nonce: "N", clientAddress: "" },
    });
    expect(renderer.getContext({})).toBeUndefined();
  });

  test("fails when the connection breaks off", async () => {
    const renderer = new PageRenderer(deps);
    renderer.useServer(createServer((_, response) => void response.destroy()));
    await expect(renderer.render("/")).rejects.toThrow();
  });
});
