import { defineCall } from "~/api/call.server";
import { withToken } from "~/api/guards.server";
import { done, success } from "~/api/success";
import { requestId } from "~/request-context.server";
import { serverBridge } from "../../../server/bridge";

const call = {
  path: "/api/logger/generate-error",
  summary: "Write a test error into the log",
  guard: withToken("logs:read"),
  ok: success,
  work: async () => {
    serverBridge().logger.error({ id: requestId() }, "a test error, asked for by the API");
    return done;
  },
} as const;

/** A GET that changes something is the specification's. Nobody is led to it: a link carries no token. */
export const generateError = defineCall({ ...call, method: "GET", name: "generateError" });
export const generateErrorByPost = defineCall({ ...call, method: "POST", name: "generateErrorByPost" });
