import type { RequestOrigin } from "~/services/accounts/request-origin";
import { shortenAddress } from "~/lib/network-address";
import { serverBridge } from "../../server/bridge";

/** Where this request comes from, for limits, consent and the audit. */
export function originOf(request: Request): RequestOrigin {
  const context = serverBridge().current();
  const address = context?.clientAddress ?? "";
  return {
    address,
    network: shortenAddress(address),
    requestId: context?.requestId ?? "",
    userAgent: request.headers.get("User-Agent") ?? "",
  };
}

/** What is the same for everything that answers one request; undefined outside of one. */
export const requestContext = (): object | undefined => serverBridge().current();

/** The id under which the log holds this request; shown on error pages. */
export function requestId(): string {
  return serverBridge().current()?.requestId ?? "";
}
