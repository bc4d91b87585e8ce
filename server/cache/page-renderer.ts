import { createHash } from "node:crypto";
import { type IncomingMessage, request as ask, type Server } from "node:http";
import { type Duplex, duplexPair } from "node:stream";
import { text } from "node:stream/consumers";
import type { RequestContext } from "../bridge.ts";
import { scriptsByHash } from "../response/content-policy.ts";
import type { CacheableContent } from "./cached-response.ts";
import { delayScripts } from "./delay-scripts.ts";

const TIMEOUT_MS = 8000;

interface RendererDeps {
  /** The Host header that the guard accepts. */
  readonly host: string;
  readonly newRequestId: () => string;
  readonly newNonce: () => string;
}

/** Requests a page of this server anonymously, on an in-process connection that no client's request can look like. */
export class PageRenderer {
  readonly #deps: RendererDeps;
  readonly #requests = new WeakMap<object, RequestContext>();
  #server: Server | undefined;

  constructor(deps: RendererDeps) {
    this.#deps = deps;
  }

  /** Registers a server; the first one of the process is the product's. */
  readonly useServer = (server: Server): void => void (this.#server ??= server);

  /** @returns the request context of this renderer's request, undefined for a client's. */
  getContext(socket: object): RequestContext | undefined {
    return this.#requests.get(socket);
  }

  /** @throws when the response is not a complete page, or sets a cookie. */
  async render(path: string): Promise<CacheableContent> {
    if (!this.#server) throw new Error("there is no server to ask yet");
    const [ours, theirs] = duplexPair();
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const context: RequestContext = {
      requestId: this.#deps.newRequestId(),
      nonce: this.#deps.newNonce(),
      clientAddress: "",
      startWait: () => async () => undefined,
      untilWritable: async () => true,
    };
    this.#requests.set(theirs, context);
    try {
      this.#server.emit("connection", theirs);
      const { answer, html } = await this.#ask(path, ours, signal);
      return toCacheableContent(path, { answer, html: delayScripts(html, context.nonce) }, context.nonce);
    } finally {
      ours.destroy();
      theirs.destroy();
    }
  }

  async #ask(path: string, connection: Duplex, signal: AbortSignal) {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const headers = { Host: this.#deps.host, "Accept-Encoding": "identity" };
    ask({ path, headers, signal, createConnection: () => connection }, resolve)
      .once("error", reject)
      .end();
    const answer = await promise;
    return { answer, html: await text(answer) };
  }
}

/** Removes the nonce from a page; only what carried it is hashed, so an injected script stays blocked. */
export function toCacheableContent(
  path: string,
  { answer, html }: { answer: Pick<IncomingMessage, "statusCode" | "headers">; html: string },
  nonce: string,
): CacheableContent {
  const { statusCode, headers } = answer;
  const contentType = headers["content-type"] ?? "";
  if (statusCode !== 200 || !/^text\/html\b/i.test(contentType)) {
    throw new Error(`${path} answered ${statusCode} ${contentType}`);
  }
  if (headers["set-cookie"]) throw new Error(`${path} sets a cookie and cannot be cached`);
  // A broken connection has thrown already. The loaders' data comes after the end of the document.
  if (!html.includes("</html>")) throw new Error(`${path} ended early`);
  const body = html.replaceAll(` nonce="${nonce}"`, "");
  if (body.includes(nonce)) throw new Error(`${path} contains its nonce where it cannot be removed`);
  const scripts = scriptsByHash(getInlineHashes(html, nonce));
  return { path, contentType, body: Buffer.from(body), scripts };
}

/** Returns the SHA-256 of each inline script with the nonce, over the text between its tags, as browsers do. */
function getInlineHashes(html: string, nonce: string): string[] {
  const elements = [...html.matchAll(/<script\b([^>]*)>(.*?)<\/script>/gis)];
  const trusted = elements.flatMap(([, attributes = "", code = ""]) =>
    attributes.includes(` nonce="${nonce}"`) && code !== "" ? [code] : [],
  );
  return [...new Set(trusted)].map((code) => createHash("sha256").update(code).digest("base64"));
}
