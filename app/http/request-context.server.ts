import { BusyError } from "~/lib/busy-error";
import { shortenAddress } from "~/lib/network-address";
import type { RequestOrigin, Actor } from "~/services/audit/audit.server";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { serverBridge } from "../../server/bridge";

/** Returns the origin of this request, for limits, consent and audit entries. */
export function getRequestOrigin(request: Request): RequestOrigin {
  const context = serverBridge().current();
  const address = context?.clientAddress ?? "";
  return {
    address,
    network: shortenAddress(address),
    requestId: context?.requestId ?? "",
    userAgent: request.headers.get("User-Agent") ?? "",
  };
}

/** Returns who acts and from where, for audit entries. */
export function getActor(request: Request, person: Pick<SignedIn, "email">): Actor & RequestOrigin {
  return { by: person.email, ...getRequestOrigin(request) };
}

/** Returns an object that identifies the current request; undefined outside of one. */
export const getRequestContext = (): object | undefined => serverBridge().current();

/** Returns the id of this request in the log; shown on error pages. */
export function getRequestId(): string {
  return serverBridge().current()?.requestId ?? "";
}

/** Logs a failure of this request that its response only tells in words; too much at once is counted, not logged. */
export function logError(err: unknown, message: string): void {
  if (err instanceof BusyError) return;
  serverBridge().logger.error({ err, id: getRequestId() }, message);
}
