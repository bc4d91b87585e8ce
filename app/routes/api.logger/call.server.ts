import { z } from "zod";
import { defineCall } from "~/api/call.server";
import { limit } from "~/api/fields";
import { withToken } from "~/api/guards.server";
import { logs } from "~/services/container.server";

/** Of 8 KiB at most each. */
const MOST_LINES = 1000;

export const getLogs = defineCall({
  ...{ method: "GET", path: "/api/logger", name: "getLogs" },
  summary: "Read the newest lines of the log",
  guard: withToken("logs:read"),
  query: z.object({ limit: limit("How many lines at most.", { max: MOST_LINES }) }),
  ok: z.array(z.string()).meta({ description: "Lines like `date [LEVEL] message`, the newest one last." }),
  work: async ({ query: { limit } }) => {
    const { lines } = await logs.page({}, { limit, order: "newest" });
    return { ok: lines.map(({ line }) => line).reverse() };
  },
});
