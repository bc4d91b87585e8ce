import { defineCall } from "~/api/call.server";
import { withToken } from "~/api/guards.server";
import { checkResources } from "~/api/read-resources.server";
import { systemResources } from "~/api/resource-answers";

export const checkResourcesNow = defineCall({
  ...{ method: "POST", path: "/api/resourcemonitor/check", name: "checkResources" },
  summary: "Measure how the server is now",
  description: "Eight or more meetings at once become a warning in the log, a Redis that is away an error.",
  guard: withToken("resources:read"),
  ok: systemResources,
  refusals: ["not_measured"],
  work: async () => ({ ok: await checkResources() }),
});
