import type { BroadcastAudience } from "~/db/tables/broadcast";

/** Audiences in the order of the form. */
export const AUDIENCES = ["all", "landing", "application"] as const satisfies readonly BroadcastAudience[];

/** The target of a broadcast (specification, section 7: /all, /app with an appType, /tenant/{id}). */
export type Target =
  | { readonly to: "all" }
  | { readonly to: "app"; readonly appType: string }
  | { readonly to: "tenant"; readonly tenantId: string };

/**
 * Returns the target of an audience by the specification's section 7. A company applies to the application
 * audience only and is ignored for the others.
 */
export function getTarget(
  { audience, tenantId }: { audience: BroadcastAudience; tenantId: string | null },
  appTypes: { readonly landing: string; readonly application: string },
): Target {
  if (audience === "application" && tenantId) return { to: "tenant", tenantId };
  return audience === "all" ? { to: "all" } : { to: "app", appType: appTypes[audience] };
}
