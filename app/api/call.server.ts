import { z } from "zod";
import type { ApiToken } from "~/services/api-tokens/api-tokens.server";
import { problem, type ProblemCode } from "./problem.server";

/** Authenticates a call, and describes this for the API's document. */
export interface CallGuard<Caller> {
  /** Undefined: public. */
  readonly security: { readonly scheme: SecurityScheme; readonly scopes: readonly string[] } | undefined;
  readonly refusals: readonly ProblemCode[];
  /** Returns the authenticated caller. @throws a problem Response. */
  check(request: Request): Promise<Caller>;
}

export const SECURITY_SCHEMES = {
  token: {
    type: "http",
    scheme: "bearer",
    description: "An API token, created in the back office, with the scope that the call names.",
  },
  visitor: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "The ID token of a visitor of the landing page.",
  },
  signature: {
    type: "apiKey",
    in: "header",
    name: "X-Signature",
    description: "`t=<seconds>,v1=<HMAC-SHA256 of t, a full stop and the body>`.",
  },
} as const;
type SecurityScheme = keyof typeof SECURITY_SCHEMES;

/** The response: the result (200), or the status of work that takes longer than a caller waits (202). */
type Reply<Ok, Accepted> = ({ readonly ok: Ok } | { readonly accepted: Accepted }) & {
  readonly headers?: Readonly<Record<string, string>>;
};

interface CallDescription {
  readonly method: "GET" | "POST" | "DELETE";
  /** As the specification and the document write it; requests match in any case. `{name}` is a parameter. */
  readonly path: `/api/${string}`;
  /** The operation's name in generated clients. */
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  readonly guard: CallGuard<unknown>;
  /** The description of each path parameter. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Replaces `body` where `work` reads the bytes itself, because they are signed. */
  readonly signedBody?: z.ZodType;
  /** Whether the call is idempotent by its Idempotency-Key. */
  readonly isKeyed?: boolean;
  /** The body of a 200, and of a 202 where there is one. */
  readonly ok: z.ZodType;
  readonly accepted?: z.ZodType;
  /** A body and its 200, for readers of the document; tests/server/api-document.test.ts checks them by the schemas. */
  readonly examples?: { readonly body?: unknown; readonly ok: unknown };
  /** Problems other than those of the guard and of reading the body. */
  readonly refusals?: readonly ProblemCode[];
}

/** A call of the API, for the dispatcher and the document. */
export interface Call extends CallDescription {
  /** Authenticates, validates and executes the call; a caller's mistake is thrown as a problem Response. */
  answer(request: Request, params: Readonly<Record<string, string | undefined>>): Promise<Response>;
}

interface CallInput<Caller, Query, Body> {
  readonly request: Request;
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly query: Query;
  readonly body: Body;
  /** The caller's Idempotency-Key; undefined without one. */
  readonly idempotencyKey: string | undefined;
}

interface CallDefinition<Caller, Query, Body, Ok, Accepted> extends CallDescription {
  readonly guard: CallGuard<Caller>;
  readonly query?: z.ZodObject & z.ZodType<Query>;
  readonly body?: z.ZodType<Body>;
  readonly ok: z.ZodType<unknown, Ok>;
  readonly accepted?: z.ZodType<unknown, Accepted>;
  /** Executes the call. Returns a Response for a problem, or for a body that is not plain JSON. */
  readonly work: (input: CallInput<Caller, Query, Body>) => Promise<Reply<Ok, Accepted> | Response>;
}

/** Defines a call: the dispatcher answers by it, and the document at /api/openapi.json describes it. */
export function defineCall<Caller, Ok, Accepted = never, Query = undefined, Body = undefined>(
  definition: CallDefinition<Caller, Query, Body, Ok, Accepted>,
): Call {
  const { work, ...description } = definition;
  return {
    ...description,
    async answer(request, params) {
      const caller = await definition.guard.check(request);
      const idempotencyKey = definition.isKeyed ? getIdempotencyKey(request) : undefined;
      const query = await parse(definition.query, () => readQuery(request), "invalid_query");
      const body = await parse(definition.body, () => readJson(request), "invalid_body");
      const reply = await work({ request, caller, params, query, body, idempotencyKey });
      if (reply instanceof Response) return reply;
      const { headers } = reply;
      return "ok" in reply
        ? Response.json(reply.ok, { headers })
        : Response.json(reply.accepted, { status: 202, headers });
    },
  };
}

async function parse<T>(
  schema: z.ZodType<T> | undefined,
  read: () => unknown,
  code: "invalid_query" | "invalid_body",
): Promise<T> {
  // Without a schema the type is undefined, and so is the value.
  if (!schema) return undefined as T;
  const parsed = schema.safeParse(await read());
  if (parsed.success) return parsed.data;
  throw problem(code, { fields: toFieldErrors(parsed.error) });
}

const readQuery = (request: Request) => Object.fromEntries(new URL(request.url).searchParams);

/** Character sets of a body by the name in its Content-Type; without one it is UTF-8 (RFC 8259, section 8.1). */
const CHARSETS: Readonly<Record<string, string>> = {
  "utf-8": "utf-8",
  utf8: "utf-8",
  "us-ascii": "utf-8",
  "iso-8859-1": "windows-1252",
  latin1: "windows-1252",
  "windows-1252": "windows-1252",
};

/** Reads the body as JSON. Nothing in it is replaced silently: a byte that is no text is a mistake (hardening R47). */
async function readJson(request: Request): Promise<unknown> {
  const contentType = request.headers.get("Content-Type") ?? "";
  if (contentType.split(";")[0]?.trim().toLowerCase() !== "application/json") {
    throw problem("unsupported_media_type");
  }
  const charset = /;\s*charset="?([^";\s]*)/i.exec(contentType)?.[1]?.toLowerCase() ?? "utf-8";
  const encoding = Object.hasOwn(CHARSETS, charset) ? CHARSETS[charset] : undefined;
  if (encoding === undefined) throw problem("unsupported_charset");
  return parseBody(decodeBody(await request.arrayBuffer(), encoding));
}

function decodeBody(body: ArrayBuffer, encoding: string): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(body);
  } catch {
    throw problem("invalid_encoding");
  }
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw problem("invalid_json");
  }
}

/** Returns the first error of each field; that of `body` where the body is no object. */
function toFieldErrors(error: z.ZodError): Record<string, string> {
  const fields = new Map<string, string>();
  const add = (field: string, message: string) => {
    if (!fields.has(field)) fields.set(field, message);
  };
  for (const issue of error.issues) {
    if (issue.code === "unrecognized_keys") {
      for (const key of issue.keys) add(key, "is not a field of this call");
    } else {
      add(issue.path.join(".") || "body", issue.message);
    }
  }
  return Object.fromEntries(fields);
}

/** The response of a call without a result. */
export const success = z.object({ status: z.literal("success") });
export const done = { ok: { status: "success" } } as const;

/** The part of the input that makes a call with `isKeyed` and a token idempotent. */
export type KeyedRequest = Pick<
  CallInput<ApiToken, unknown, unknown>,
  "request" | "caller" | "idempotencyKey"
>;

/** Returns the headers of a response that may repeat an earlier one with the same Idempotency-Key. */
export function replayHeaders({ isRepeated }: { isRepeated: boolean }): Record<string, string> {
  return isRepeated ? { "Idempotent-Replayed": "true" } : {};
}

const IDEMPOTENCY_KEY = /^[ -~]{1,255}$/;

function getIdempotencyKey(request: Request): string | undefined {
  const key = request.headers.get("Idempotency-Key") ?? undefined;
  if (key !== undefined && !IDEMPOTENCY_KEY.test(key)) throw problem("invalid_idempotency_key");
  return key;
}
