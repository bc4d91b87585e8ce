import { z } from "zod";
import { logError } from "~/http/request-context.server";
import { tenants } from "~/services/container.server";
import type { Tenant } from "~/services/tenants/tenant-directory";
import { defineCall } from "../call.server";
import { withToken } from "../guards.server";
import { problem, retryAfter } from "../problem.server";

/** Lists the companies. @throws a 503 problem when they cannot be read. */
export async function readTenants(): Promise<Tenant[]> {
  try {
    return await tenants.list();
  } catch (err) {
    logError(err, "Failed to fetch tenants");
    throw problem("tenants_unavailable", retryAfter(60));
  }
}

const tenant = z.object({
  id: z.string(),
  name: z.string(),
  domain: z.string().meta({ description: "Empty when there is none." }),
});

export const getTenantInfo = defineCall({
  method: "GET",
  path: "/api/Tenant/get-tenant-info",
  name: "getTenantInfo",
  summary: "List the companies that use the application",
  guard: withToken("tenants:read"),
  ok: z.array(tenant).meta({ description: "Ordered by name." }),
  refusals: ["tenants_unavailable"],
  work: async () => ({ ok: await readTenants() }),
});
