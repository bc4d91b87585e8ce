import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { createSystemResources } from "../factories/resources";
import { listen } from "./listen";

export const PLATFORM_TOKEN = "token-of-the-platform-0123456789";

/** Failure of one request. "cut": applied, then closed without a response. "slow": read, and never answered. */
export type PlatformFailure =
  | { readonly status: number; readonly text?: string; readonly headers?: Record<string, string> }
  | "cut"
  | "cut-within-reply"
  | "slow"
  | "no-json"
  | "other-json"
  | "huge";

export interface PlatformRequest {
  readonly method: string;
  readonly path: string;
  readonly body: Record<string, unknown> | undefined;
}

/** Starts the application's backend of the specification's section 7 on loopback: bearer tokens and JSON. */
export async function startPlatform() {
  const server = createServer((request, response) => void answer(request, response));
  const url = `http://127.0.0.1:${await listen(server)}`;
  const platform = {
    url,
    /** Every request with the right token, in order. */
    requests: [] as PlatformRequest[],
    /** The requests that were applied. */
    applied: [] as PlatformRequest[],
    tenants: [
      { id: "zed", name: "Zed", domain: null },
      { id: 7, name: "Acme", domain: "acme.example" },
    ] as unknown,
    logs: [] as string[],
    resources: createSystemResources({ redis: true, meetings: 3 }) as unknown,
    /** Counts that a broadcast responds with. */
    counts: { successCount: 3, failureCount: 1 },
    /** Called for each request; undefined: it succeeds. */
    failRequest: (_request: PlatformRequest): PlatformFailure | undefined => undefined,
    /** Environment variables of a product that uses it. */
    environment: { PLATFORM_API_URL: url, PLATFORM_API_TOKEN: PLATFORM_TOKEN },
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
  return platform;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const content = await text(request);
    if (request.headers.authorization !== `Bearer ${PLATFORM_TOKEN}`) {
      return void response.writeHead(401, { "WWW-Authenticate": "Bearer" }).end();
    }
    const isJson = request.headers["content-type"] === "application/json";
    const body = content === "" || !isJson ? undefined : (JSON.parse(content) as Record<string, unknown>);
    const received = { method: request.method ?? "", path: request.url ?? "", body };
    platform.requests.push(received);
    const failure = platform.failRequest(received);
    if (typeof failure === "object") {
      return void response.writeHead(failure.status, failure.headers).end(failure.text ?? "");
    }
    if (failure === "slow") return;
    const { status, reply } = apply(received);
    if (failure === "cut") return void request.socket.destroy();
    const json = JSON.stringify(reply ?? null);
    response.writeHead(status, { "Content-Type": "application/json" });
    if (failure === "cut-within-reply") {
      return void response.write(json.slice(0, 5), () => request.socket.destroy());
    }
    if (failure === "no-json") return void response.end("<html>Welcome</html>");
    if (failure === "other-json") return void response.end('{"hello":["world"]}');
    if (failure === "huge") return void response.end(`"${"x".repeat(2 * 1_048_576)}"`);
    response.end(reply === undefined ? "" : json);
  }

  function apply(request: PlatformRequest): { status: number; reply?: unknown } {
    const { method, path, body } = request;
    const has = (...names: string[]) => names.every((name) => typeof body?.[name] === "string");
    const refused = { status: 400, reply: { title: "One or more validation errors occurred.", status: 400 } };
    const done = (reply?: unknown) => {
      platform.applied.push(request);
      return { status: 200, reply };
    };
    switch (`${method} ${path.replace(/tenant\/[^/]+$/, "tenant/{id}")}`) {
      case "POST /api/Email/send-email":
        return has("ToEmail", "Subject", "Content") ? done({ message: "Email sent" }) : refused;
      case "GET /api/Tenant/get-tenant-info":
        return done(platform.tenants);
      case "POST /api/Broadcast/all":
      case "POST /api/Broadcast/tenant/{id}":
        return has("title", "body") ? done(platform.counts) : refused;
      case "POST /api/Broadcast/app":
        return has("title", "body", "appType") ? done(platform.counts) : refused;
      case "GET /api/logger":
        return done(platform.logs);
      case "DELETE /api/logger/delete-logs":
        platform.logs = [];
        return done();
      case "GET /api/resourcemonitor/resources":
        return done(platform.resources);
      case "POST /api/resourcemonitor/check":
        return done({ status: "ok" });
      default:
        return { status: 404, reply: { title: "Not Found", status: 404 } };
    }
  }
}

export type FakePlatform = Awaited<ReturnType<typeof startPlatform>>;
