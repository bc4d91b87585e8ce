import { z } from "zod";
import { answerBroadcast, broadcastCall, contentFields } from "~/api/answer-broadcast.server";
import { defineCall } from "~/api/call.server";
import { problem } from "~/api/problem.server";
import { readTenants } from "~/api/read-tenants.server";

export const broadcastToTenant = defineCall({
  ...{ ...broadcastCall, path: "/api/Broadcast/tenant/{tenantId}", name: "broadcastToTenant" },
  summary: "Send a push notification to one company's devices",
  description: "Those of the application's users that belong to it. Answers as Broadcast/all does.",
  params: { tenantId: "The company's id, as Tenant/get-tenant-info has it." },
  body: z.strictObject(contentFields),
  refusals: [...broadcastCall.refusals, "unknown_tenant", "tenants_unavailable"],
  work: async (given) => {
    const tenant = (await readTenants()).find(({ id }) => id === given.params.tenantId);
    if (!tenant) return problem("unknown_tenant");
    return answerBroadcast(given, { ...given.body, audience: "application", tenant });
  },
});
