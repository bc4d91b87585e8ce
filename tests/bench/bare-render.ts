import { createRequestHandler, type EntryContext, type ServerBuild } from "@remix-run/node";
import { RemixServer } from "@remix-run/react";
import { pino } from "pino";
import { Registry } from "prom-client";
import { createElement } from "react";
import { renderToPipeableStream } from "react-dom/server";
import { createServer, type ServerResponse } from "node:http";
import { Writable } from "node:stream";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { installBridge } from "../../server/bridge.ts";
import { LineQueue } from "../../server/observability/line-queue.ts";
import { listen } from "../fakes/listen.ts";
import { serveCalls } from "./helper-process.ts";

const NONCE = "AAAAAAAAAAAAAAAAAAAAAA==";
const compress = promisify(brotliCompress);
/** As remix-serve compresses. */
const QUICK_BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

interface Page {
  readonly url: string;
  readonly context: EntryContext;
}

/**
 * Serves pages of the product with node:http, React and compression alone. The loaders have run once, through the
 * product's own build; each request renders the same tree again, without the data that its scripts need.
 */
export async function servePages({ paths, cookie }: { paths: readonly string[]; cookie: string }) {
  const build = await importBuild();
  const pages = new Map<string, Page>();
  for (const path of paths) pages.set(path, await load(build, `http://localhost${path}`, cookie));
  const server = createServer((request, response) => {
    const page = pages.get(request.url ?? "");
    if (page) void respond(page, response);
    else response.writeHead(404).end();
  });
  return { port: await listen(server) };
}

serveCalls(servePages);

/** Imports the application as the guard does, but without the guard. */
async function importBuild(): Promise<ServerBuild> {
  const ignore = () => undefined;
  const context = {
    requestId: "",
    nonce: NONCE,
    clientAddress: "127.0.0.1",
    signal: new AbortController().signal,
    startWait: () => async () => undefined,
    untilWritable: async () => true,
  };
  installBridge({
    logger: pino({ enabled: false }),
    logLines: new LineQueue(),
    landingVisits: { take: () => [], putBack: ignore },
    metrics: new Registry(),
    current: () => context,
    isDraining: () => false,
    setReadinessProbe: ignore,
    checkReadiness: async () => ({ ok: true }),
    readiness: () => ({ ok: true }),
    setCredentialChecks: ignore,
    beforeScrape: ignore,
    onDrain: ignore,
  });
  const file = new URL("../../build/server/index.js", import.meta.url).href;
  return (await import(file)) as ServerBuild;
}

/** Runs a page's loaders, and takes what Remix gives the product to render. */
async function load(build: ServerBuild, url: string, cookie: string): Promise<Page> {
  let page: Page | undefined;
  const take = (_request: Request, status: number, _headers: Headers, context: EntryContext) => {
    if (status !== 200) throw new Error(`${url} responded ${status}`);
    page = { url, context: { ...context, serverHandoffStream: undefined } };
    return new Response();
  };
  const module = { ...build.entry.module, default: take };
  const handle = createRequestHandler({ ...build, entry: { module } }, "production");
  const response = await handle(new Request(url, { headers: { Cookie: cookie } }));
  if (!page) throw new Error(`${url} responded ${response.status} without a page`);
  return page;
}

async function respond(page: Page, response: ServerResponse): Promise<void> {
  const body = await compress(await render(page), QUICK_BROTLI);
  response.writeHead(200, {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Encoding": "br",
    "Content-Length": body.length,
  });
  response.end(body);
}

function render({ url, context }: Page): Promise<Buffer> {
  // Filled by the rendering.
  const again = { ...context, renderMeta: {} };
  const chunks: Uint8Array[] = [];
  return new Promise((resolve, reject) => {
    const collector = new Writable({
      write(chunk: Uint8Array, _encoding, next) {
        chunks.push(chunk);
        next();
      },
      final(next) {
        resolve(Buffer.concat(chunks));
        next();
      },
    });
    const page = renderToPipeableStream(createElement(RemixServer, { context: again, url, nonce: NONCE }), {
      nonce: NONCE,
      onAllReady: () => page.pipe(collector),
      onShellError: reject,
      onError: reject,
    });
  });
}
