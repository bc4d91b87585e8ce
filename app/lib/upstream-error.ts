interface Failure {
  /** Whom we asked: "platform". */
  readonly service: string;
  /** For what, in a few words: "list tenants". */
  readonly operation: string;
  /** What was answered; undefined when nothing was. */
  readonly status?: number | undefined;
  /** Whether the request was written to its end, so that whoever took it may have acted on it. */
  readonly handedOver: boolean;
  /** The other side's words or the network's: one line, no secrets. */
  readonly detail: string;
  /** Its Retry-After. */
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/** The specification's words for a status that is not 200 to 299 (section 8). They stand in the log alone. */
const NOT_OK = "Network response was not ok";

/** Another system did not do what it was asked. Thrown once, where it is spoken to; whoever knows better makes it a value. */
export class UpstreamError extends Error {
  override name = "UpstreamError";
  readonly service: string;
  readonly operation: string;
  readonly status: number | undefined;
  readonly handedOver: boolean;
  readonly detail: string;
  readonly retryAfterMs: number | undefined;

  constructor({ service, operation, status, handedOver, detail, retryAfterMs, cause }: Failure) {
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
