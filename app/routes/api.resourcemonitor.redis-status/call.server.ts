import { defineCall } from "~/api/call.server";
import { withToken } from "~/api/guards.server";
import { problem } from "~/api/problem.server";
import { readResources } from "~/api/read-resources.server";
import { redisStatus } from "~/api/resource-answers";

export const getRedisStatus = defineCall({
  ...{ method: "GET", path: "/api/resourcemonitor/redis-status", name: "getRedisStatus" },
  summary: "See how Redis is",
  guard: withToken("resources:read"),
  ok: redisStatus,
  refusals: ["not_measured", "redis_absent"],
  work: async () => {
    const { redis } = await readResources();
    return redis ? { ok: redis } : problem("redis_absent");
  },
});
