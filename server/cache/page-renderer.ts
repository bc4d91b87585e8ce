import { createHash } from "node:crypto";
import { type IncomingMessage, request as ask, type Server } from "node:http";
import { type Duplex, duplexPair } from "node:stream";
import { text } from "node:stream/consumers";
import type { RequestContext } from "../bridge.ts";
import { scriptsByHash } from "../response/content-policy.ts";
import type { CacheableContent } from "./cached-response.ts";

/** Longer than the application gives its own rendering (app/entry.server.tsx). */
const TIMEOUT_MS = 8000;

export interface RendererDeps {
  /** What a Host header must say to be ours. */
  readonly host: string;
  readonly newRequestId: () => string;
  readonly newNonce: () => string;
}

/**
 * Asks our own server for a page as nobody in particular: no cookie, no address, no language. The question comes in on a
 * connection that never leaves this process, and that is how the guard knows it: nothing a visitor sends can look like it.
 */
export class PageRenderer {
  readonly #deps: RendererDeps;
  readonly #asking = new WeakMap<object, RequestContext>();
  #server: Server | undefined;

  constructor(deps: RendererDeps) {
    this.#deps = deps;
  }

  /** The first server of the process is the product's. */
  readonly useServer = (server: Server): void => void (this.#server ??= server);

  /** @returns what the application is told about a question of ours, undefined for a visitor's. */
  getContext(socket: object): RequestContext | undefined {
    return this.#asking.get(socket);
  }

  /** @throws when the answer is anything but a whole page that sets no cookie. */
  async render(path: string): Promise<CacheableContent> {
    if (!this.#server) throw new Error("there is no server to ask yet");
    const [ours, theirs] = duplexPair();
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const ids = { requestId: this.#deps.newRequestId(), nonce: this.#deps.newNonce() };
    const context: RequestContext = { ...ids, clientAddress: "", signal, untilWritable: async () => true };
    this.#asking.set(theirs, context);
    try {
      this.#server.emit("connection", theirs);
      return toCacheableContent(path, await this.#ask(path, ours, signal), context.nonce);
    } finally {
      ours.destroy();
      theirs.destroy();
    }
  }

  async #ask(path: string, connection: Duplex, signal: AbortSignal) {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    // A program gets the whole page at once, with the status of all of it (app/entry.server.tsx).
    const headers = { Host: this.#deps.host, "User-Agent": "bot", "Accept-Encoding": "identity" };
    ask({ path, headers, signal, createConnection: () => connection }, resolve)
      .once("error", reject)
      .end();
    const answer = await promise;
    return { answer, html: await text(answer) };
  }
}

/**
 * The page without its nonce. Only scripts the application gave the nonce are trusted and hashed: what may have got into
 * the page some other way stays as dead as it is on any other page.
 */
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
  if (headers["set-cookie"]) throw new Error(`${path} sets a cookie and cannot be kept`);
  // A connection that breaks off has thrown already. React writes scripts after the end of the document.
  if (!html.includes("</html>")) throw new Error(`${path} ended before its end`);
  const body = html.replaceAll(` nonce="${nonce}"`, "");
  if (body.includes(nonce)) throw new Error(`${path} holds its nonce where it cannot be taken away`);
  const scripts = scriptsByHash(getScriptHashes(html, nonce));
  return { path, contentType, body: Buffer.from(body), scripts };
}

/** SHA-256 of each inline script that carries the nonce, as browsers compute it: over what stands between the tags. */
function getScriptHashes(html: string, nonce: string): string[] {
  const scripts = [...html.matchAll(/<script\b([^>]*)>(.*?)<\/script>/gis)];
  const trusted = scripts.flatMap(([, attributes = "", code = ""]) =>
    attributes.includes(` nonce="${nonce}"`) && code !== "" ? [code] : [],
  );
  return [...new Set(trusted)].map((code) => createHash("sha256").update(code).digest("base64"));
}
