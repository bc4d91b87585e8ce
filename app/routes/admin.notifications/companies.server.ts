import { requestId } from "~/http/request-context.server";
import { tenants } from "~/services/container.server";
import type { Tenant } from "~/services/tenants/tenant-directory";
import { serverBridge } from "../../../server/bridge";

/** The companies there are to choose from; undefined when they cannot be read, which is only logged (specification, section 8). */
export async function companiesIfReadable(): Promise<Tenant[] | undefined> {
  try {
    return await tenants.list();
  } catch (err) {
    serverBridge().logger.error({ err, id: requestId() }, "Failed to fetch tenants");
    return undefined;
  }
}
