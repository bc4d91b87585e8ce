import { z } from "zod";
import { defineCall } from "~/api/call.server";
import { withToken } from "~/api/guards.server";
import { readTenants } from "~/api/read-tenants.server";

const tenant = z.object({
  id: z.string(),
  name: z.string(),
  domain: z.string().meta({ description: "Empty when there is none." }),
});

export const getTenantInfo = defineCall({
  ...{ method: "GET", path: "/api/Tenant/get-tenant-info", name: "getTenantInfo" },
  summary: "List the companies that use the application",
  guard: withToken("tenants:read"),
  ok: z.array(tenant).meta({ description: "In the order of their names." }),
  refusals: ["tenants_unavailable"],
  work: async () => ({ ok: await readTenants() }),
});
