import { defineCall } from "~/api/call.server";
import { withToken } from "~/api/guards.server";
import { done, success } from "~/api/success";
import { originOf } from "~/request-context.server";
import { logs } from "~/services/container.server";

export const deleteLogs = defineCall({
  ...{ method: "DELETE", path: "/api/logger/delete-logs", name: "deleteLogs" },
  summary: "Delete all lines of the log",
  description: "Cannot be undone. Activity keeps who did it, and how many lines there were.",
  guard: withToken("logs:delete"),
  ok: success,
  work: async ({ request, who }) => {
    await logs.deleteAll({ by: who.email, ...originOf(request) });
    return done;
  },
});
