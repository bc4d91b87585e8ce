import type { BroadcastAudience, BroadcastsTable } from "~/db/tables/broadcast";

/** Audiences in the order of the form. */
export const AUDIENCES = ["all", "landing", "application"] as const satisfies readonly BroadcastAudience[];

/**
 * Which devices a broadcast is for: those whose columns have these values, with `{}` every device (specification, section 7:
 * /all, /app with an appType, /tenant/{id}).
 */
export type Target = { readonly app_type?: string; readonly tenant_id?: string };

/** Values of a device's `appType`, by audience. */
export type AppTypes = Readonly<Record<Exclude<BroadcastAudience, "all">, string>>;

/**
 * Returns the target of an audience by the specification's section 7. The company, `tenant_id`, narrows the application
 * audience only and is ignored for the others.
 */
export function getTarget(
  { audience, tenant_id }: Pick<BroadcastsTable, "audience" | "tenant_id">,
  appTypes: AppTypes,
): Target {
  if (audience === "application" && tenant_id) return { tenant_id };
  return audience === "all" ? {} : { app_type: appTypes[audience] };
}
