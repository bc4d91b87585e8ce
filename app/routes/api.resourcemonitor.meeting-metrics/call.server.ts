import { defineCall } from "~/api/call.server";
import { withToken } from "~/api/guards.server";
import { problem } from "~/api/problem.server";
import { readResources } from "~/api/read-resources.server";
import { meetingMetrics } from "~/api/resource-answers";

export const getMeetingMetrics = defineCall({
  ...{ method: "GET", path: "/api/resourcemonitor/meeting-metrics", name: "getMeetingMetrics" },
  summary: "See how many meetings there are",
  guard: withToken("resources:read"),
  ok: meetingMetrics,
  refusals: ["not_measured", "meetings_absent"],
  work: async () => {
    const { meetings } = await readResources();
    return meetings ? { ok: meetings } : problem("meetings_absent");
  },
});
