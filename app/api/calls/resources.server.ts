import { getLogger, getRequestId } from "~/http/request-context.server";
import { resources } from "~/services/container.server";
import type { Latest } from "~/services/resources/resources.server";
import { meetingMetrics, redisStatus, systemResources } from "~/services/resources/system-resources";
import type { SystemResources } from "~/services/resources/system-resources";
import { defineCall } from "../call.server";
import { withToken } from "../guards.server";
import { problem, retryAfter } from "../problem.server";

/** Returns the latest measurement. @throws a 503 problem when there is none. */
function getMeasurement(latest: Latest): SystemResources {
  if (!latest.ok) throw problem("not_measured", retryAfter(10));
  return latest.resources;
}

export const getResources = defineCall({
  method: "GET",
  path: "/api/resourcemonitor/resources",
  name: "getResources",
  summary: "Get the server's resources",
  description: "Measured within the last ten seconds.",
  guard: withToken("resources:read"),
  ok: systemResources,
  refusals: ["not_measured"],
  work: async () => {
    const found = getMeasurement(await resources.latest());
    const missing = (["redis", "meetings"] as const).filter((part) => found[part] === undefined);
    if (missing.length > 0) {
      getLogger().warn(
        { missing, id: getRequestId() },
        "the API was asked for resources that are not measured",
      );
    }
    return { ok: found };
  },
});

export const checkResourcesNow = defineCall({
  method: "POST",
  path: "/api/resourcemonitor/check",
  name: "checkResources",
  summary: "Measure the server's resources now",
  description: "Eight or more concurrent meetings are logged as a warning, an unreachable Redis as an error.",
  guard: withToken("resources:read"),
  ok: systemResources,
  refusals: ["not_measured"],
  work: async () => ({ ok: getMeasurement(await resources.check()) }),
});

export const getRedisStatus = defineCall({
  method: "GET",
  path: "/api/resourcemonitor/redis-status",
  name: "getRedisStatus",
  summary: "Get the status of Redis",
  guard: withToken("resources:read"),
  ok: redisStatus,
  refusals: ["not_measured", "redis_absent"],
  work: async () => {
    const { redis } = getMeasurement(await resources.latest());
    return redis ? { ok: redis } : problem("redis_absent");
  },
});

export const getMeetingMetrics = defineCall({
  method: "GET",
  path: "/api/resourcemonitor/meeting-metrics",
  name: "getMeetingMetrics",
  summary: "Get the meeting metrics",
  guard: withToken("resources:read"),
  ok: meetingMetrics,
  refusals: ["not_measured", "meetings_absent"],
  work: async () => {
    const { meetings } = getMeasurement(await resources.latest());
    return meetings ? { ok: meetings } : problem("meetings_absent");
  },
});
