import type { z } from "zod";
import { parseJson } from "./parse-json";
import { toOneLine } from "./one-line";

interface UpstreamFailure {
  /** The upstream's name: "platform". */
  readonly service: string;
  /** The operation, in a few words: "list tenants". */
  readonly operation: string;
  /** The HTTP status; undefined without a response. */
  readonly status?: number | undefined;
  /** Says whether the request was written completely, so that the upstream may have acted on it. */
  readonly handedOver: boolean;
  /** The upstream's or the network's message: one line, no secrets. */
  readonly detail: string;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/** The specification's message for a status that is not 200 to 299 (section 8). Logged only. */
const NOT_OK = "Network response was not ok";

/**
 * Statuses of a gateway that got no proper response (RFC 9110, 15.6.3 and 15.6.5): the upstream behind it may have acted on
 * the request.
 */
export const GATEWAY_STATUSES: ReadonlySet<number> = new Set([502, 504]);

/** An upstream failed or refused. Thrown once, by the driver; services turn it into a value where they expect it. */
export class UpstreamError extends Error {
  override name = "UpstreamError";
  readonly service: string;
  readonly operation: string;
  readonly status: number | undefined;
  readonly handedOver: boolean;
  readonly detail: string;
  readonly retryAfterMs: number | undefined;

  constructor({ service, operation, status, handedOver, detail, retryAfterMs, cause }: UpstreamFailure) {
    const isRefusal = status !== undefined && (status < 200 || status > 299);
    const parts = [`${service}, ${operation}:`, status, isRefusal ? `${NOT_OK}.` : "", detail];
    super(parts.filter(Boolean).join(" "), { cause });
    this.service = service;
    this.operation = operation;
    this.status = status;
    this.handedOver = handedOver;
    this.detail = detail;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Parses the body of a response. @throws UpstreamError when it is not JSON as the schema documents it. */
export function parseReply<Reply>(
  text: string,
  schema: z.ZodType<Reply>,
  answered: Omit<UpstreamFailure, "detail">,
): Reply {
  const json = parseJson(text);
  if (json === undefined) throw new UpstreamError({ ...answered, detail: "the reply is not JSON" });
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const { path = [], message = "" } = parsed.error.issues[0] ?? {};
  const detail = toOneLine(`the reply is not as documented: ${path.join(".")} ${message}`);
  throw new UpstreamError({ ...answered, detail });
}
