import { z } from "zod";
import { getLogger, getRequestId, getRequestOrigin } from "~/http/request-context.server";
import { UpstreamError } from "~/lib/upstream-error";
import { logs } from "~/services/container.server";
import { defineCall, done, success } from "../call.server";
import { limit } from "../fields";
import { withToken } from "../guards.server";
import { problem, retryAfter } from "../problem.server";

/** The maximum of lines in a response, each of at most 8 KiB. */
const MAX_LINES = 1000;

/** Handles a rejection of the log's source. @throws a 503 problem while the platform, whose log it is, is away. */
function refuseUnavailable(error: unknown): never {
  if (!(error instanceof UpstreamError)) throw error;
  getLogger().warn({ err: error, id: getRequestId() }, "the platform's log could not be read");
  throw problem("log_unavailable", retryAfter(60));
}

export const getLogs = defineCall({
  method: "GET",
  path: "/api/logger",
  name: "getLogs",
  summary: "Read the newest lines of the log",
  guard: withToken("logs:read"),
  query: z.object({ limit: limit("The maximum number of lines.", { max: MAX_LINES }) }),
  ok: z.array(z.string()).meta({ description: "Lines like `date [LEVEL] message`, newest last." }),
  refusals: ["log_unavailable"],
  work: async ({ query: { limit } }) => {
    const { lines } = await logs.page({}, { limit, order: "newest" }).catch(refuseUnavailable);
    return { ok: lines.map(({ line }) => line).reverse() };
  },
});

const call = {
  path: "/api/logger/generate-error",
  summary: "Write a test error into the log",
  guard: withToken("logs:read"),
  ok: success,
  work: async () => {
    getLogger().error({ id: getRequestId() }, "a test error, requested through the API");
    return done;
  },
} as const;

/** The specification requires a GET that changes something. No link can trigger it: a link carries no token. */
export const generateError = defineCall({ ...call, method: "GET", name: "generateError" });
export const generateErrorByPost = defineCall({ ...call, method: "POST", name: "generateErrorByPost" });

export const deleteLogs = defineCall({
  method: "DELETE",
  path: "/api/logger/delete-logs",
  name: "deleteLogs",
  summary: "Delete all lines of the log",
  description: "Cannot be undone. Activity records who did it, and the number of lines.",
  guard: withToken("logs:delete"),
  ok: success,
  refusals: ["log_unavailable"],
  work: async ({ request, caller }) => {
    await logs.deleteAll({ by: caller.email, ...getRequestOrigin(request) }).catch(refuseUnavailable);
    return done;
  },
});
