import type { BroadcastAudience } from "~/db/tables/broadcast";

/** In the order they are offered. */
export const AUDIENCES = ["all", "landing", "application"] as const satisfies readonly BroadcastAudience[];

/** Where a broadcast goes (specification, section 7: /all, /app with an appType, /tenant/{id}). */
export type Target =
  | { readonly to: "all" }
  | { readonly to: "app"; readonly appType: string }
  | { readonly to: "tenant"; readonly tenantId: string };

/**
 * The routing rules of the specification's section 7. A company belongs to the application audience alone, so that with any
 * other one it does not count.
 */
export function getTarget(
  { audience, tenantId }: { audience: BroadcastAudience; tenantId: string | null },
  appTypes: { readonly landing: string; readonly application: string },
): Target {
  if (audience === "application" && tenantId) return { to: "tenant", tenantId };
  return audience === "all" ? { to: "all" } : { to: "app", appType: appTypes[audience] };
}
