import type { Logger } from "pino";
import { BusyError } from "~/lib/busy-error";
import { shortenAddress } from "~/lib/network-address";
import type { RequestOrigin, Actor } from "~/services/audit/audit.server";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { serverBridge, type RequestContext } from "../../server/bridge";

/** What the guard and the application share. For the container; everything else uses the functions below. */
export { serverBridge };

/** Returns the context of the current request; undefined outside of one. */
export const getRequestContext = (): RequestContext | undefined => serverBridge().current();

/** Returns the id of this request in the log; shown on error pages. */
export const getRequestId = (): string => getRequestContext()?.requestId ?? "";

/** Returns the origin of this request, for limits, consent and audit entries. */
export function getRequestOrigin(request: Request): RequestOrigin {
  const address = getRequestContext()?.clientAddress ?? "";
  return {
    address,
    network: shortenAddress(address),
    requestId: getRequestId(),
    userAgent: request.headers.get("User-Agent") ?? "",
  };
}

/** Returns who acts and from where, for audit entries. */
export function getActor(request: Request, operator: Pick<SignedIn, "email">): Actor & RequestOrigin {
  return { by: operator.email, ...getRequestOrigin(request) };
}

export const getLogger = (): Logger => serverBridge().logger;

/** Logs a failure of this request that its response only tells in words; too much at once is counted, not logged. */
export function logError(err: unknown, message: string): void {
  if (err instanceof BusyError) return;
  getLogger().error({ err, id: getRequestId() }, message);
}

/** Returns whether the server is shutting down: a response that waits for something ends now. */
export const isDraining = (): boolean => serverBridge().isDraining();
