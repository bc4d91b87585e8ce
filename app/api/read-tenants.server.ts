import { requestId } from "~/request-context.server";
import { tenants } from "~/services/container.server";
import type { Tenant } from "~/services/tenants/tenant-directory";
import { serverBridge } from "../../server/bridge";
import { problem, retryAfter } from "./problem.server";

/** @throws a 503 answer when the companies cannot be read. */
export async function readTenants(): Promise<Tenant[]> {
  try {
    return await tenants.list();
  } catch (err) {
    serverBridge().logger.error({ err, id: requestId() }, "Failed to fetch tenants");
    throw problem("tenants_unavailable", retryAfter(60));
  }
}
