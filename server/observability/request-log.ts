import type { Logger } from "pino";
import { shortenAddress } from "../../app/lib/network-address.ts";
import type { InFlightRequest } from "../lifecycle/in-flight-requests.ts";
import { redactPath } from "./path-redaction.ts";

/** The outcome of a request, known when its response has closed. */
export interface EndedRequest {
  readonly method: string;
  /** Undefined when the client left before a response began. */
  readonly status: number | undefined;
  readonly ms: number;
  readonly bytes: number;
  /** Whether the connection ended before the response did. */
  readonly aborted: boolean;
}

/** Measures a request whose response has closed. */
export function measureRequest(inFlight: InFlightRequest): EndedRequest {
  const { request, response, startedAt, bytesBefore } = inFlight;
  const { method = "", socket } = request;
  return {
    method,
    status: response.headersSent ? response.statusCode : inFlight.rawStatus,
    ms: Math.round((performance.now() - startedAt) * 10) / 10,
    bytes: socket.bytesWritten - bytesBefore,
    aborted: !response.writableFinished,
  };
}

/**
 * Formats a request's log line (C23, C24) without anything about the person: no query, cookie, user agent or body.
 * JSON escapes every control character, so that no input can forge a line.
 */
function toLine({ request, requestId, clientAddress, verdict }: LoggedRequest, ended: EndedRequest) {
  const { method, status, ms, bytes, aborted } = ended;
  const path = redactPath(request.url ?? "", "path" in verdict ? verdict : undefined);
  return { id: requestId, method, path, status, ms, bytes, address: shortenAddress(clientAddress), aborted };
}

type LoggedRequest = Omit<InFlightRequest, "response" | "startedAt" | "bytesBefore" | "closed">;
type SetTimer = (callback: () => void, ms: number) => void;

/** Number of the guard's own responses per second that have a line each. */
const ONE_BY_ONE = 100;
const SECOND_MS = 1000;

/**
 * Logs requests: one line each, except in a flood. The guard's own responses (the cached landing page, assets,
 * refusals) cost next to nothing, and anybody can request ten thousand of them in a second: the first hundred of a
 * second are logged one by one and the rest is counted in one line. Their lines would otherwise cost more than the
 * responses, and push everything else out of a log of limited size (docs/decisions/0030).
 */
export class RequestLog {
  readonly #logger: Logger;
  readonly #setTimer: SetTimer;
  #written = 0;
  #more = createTally();

  constructor(logger: Logger, setTimer: SetTimer = (callback, ms) => void setTimeout(callback, ms).unref()) {
    this.#logger = logger;
    this.#setTimer = setTimer;
  }

  write(inFlight: LoggedRequest, ended: EndedRequest): void {
    const level = getLevel(inFlight.path);
    if (!this.#logger.isLevelEnabled(level)) return;
    if (!inFlight.isPassedOn && this.#isFlooded()) return this.#countIn(ended);
    this.#logger[level](toLine(inFlight, ended), "request");
  }

  /** Logs how many were counted in this second; also called at the exit of the process. */
  readonly endSecond = (): void => {
    const more = this.#more;
    this.#written = 0;
    this.#more = createTally();
    if (more.count > 0)
      this.#logger.info(more, "more requests in the same second, answered by the guard itself");
  };

  #isFlooded(): boolean {
    if (this.#written === ONE_BY_ONE) return true;
    if (this.#written === 0) this.#setTimer(this.endSecond, SECOND_MS);
    this.#written += 1;
    return false;
  }

  #countIn({ status, bytes }: EndedRequest): void {
    const { statuses } = this.#more;
    const name = status ?? "none";
    this.#more.count += 1;
    this.#more.bytes += bytes;
    statuses[name] = (statuses[name] ?? 0) + 1;
  }
}

const createTally = () => ({ count: 0, bytes: 0, statuses: {} as Record<string, number> });

/**
 * Returns "debug" for assets and probes, whose number would bury the rest, and for the polling of the log screen,
 * which would fill the log that it shows.
 */
const getLevel = (path: string): "debug" | "info" =>
  /^\/(?:static\/|admin\/logs\/newest|(?:healthz|readyz|metrics)$)/.test(path) ? "debug" : "info";
