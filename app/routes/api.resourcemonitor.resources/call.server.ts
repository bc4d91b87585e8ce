import { defineCall } from "~/api/call.server";
import { withToken } from "~/api/guards.server";
import { readResources } from "~/api/read-resources.server";
import { systemResources } from "~/api/resource-answers";
import { requestId } from "~/request-context.server";
import { serverBridge } from "../../../server/bridge";

export const getResources = defineCall({
  ...{ method: "GET", path: "/api/resourcemonitor/resources", name: "getResources" },
  summary: "See how the server is",
  description: "As measured in the last ten seconds.",
  guard: withToken("resources:read"),
  ok: systemResources,
  refusals: ["not_measured"],
  work: async () => {
    const found = await readResources();
    const missing = (["redis", "meetings"] as const).filter((part) => found[part] === undefined);
    if (missing.length > 0) {
      serverBridge().logger.warn(
        { missing, id: requestId() },
        "the API was asked for resources that are missing",
      );
    }
    return { ok: found };
  },
});
