import type { BroadcastAudience, BroadcastsTable } from "~/db/tables/broadcast";

/** Audiences in the order of the form. */
export const AUDIENCES = ["all", "landing", "application"] as const satisfies readonly BroadcastAudience[];

/** The target of a broadcast (specification, section 7: /all, /app with an appType, /tenant/{id}). */
export type Target =
  | { readonly to: "all" }
  | { readonly to: "app"; readonly appType: string }
  | { readonly to: "tenant"; readonly tenantId: string };

/** Values of a device's `appType`, by audience. */
export type AppTypes = Readonly<Record<Exclude<BroadcastAudience, "all">, string>>;

/**
 * Returns the target of an audience by the specification's section 7. A company applies to the application
 * audience only and is ignored for the others.
 */
export function getTarget(
  { audience, tenant_id }: Pick<BroadcastsTable, "audience" | "tenant_id">,
  appTypes: AppTypes,
): Target {
  if (audience === "application" && tenant_id) return { to: "tenant", tenantId: tenant_id };
  return audience === "all" ? { to: "all" } : { to: "app", appType: appTypes[audience] };
}
