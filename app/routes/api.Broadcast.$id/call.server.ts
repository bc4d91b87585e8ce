import { inWords, standing } from "~/api/answer-broadcast.server";
import { defineCall } from "~/api/call.server";
import { withToken } from "~/api/guards.server";
import { problem } from "~/api/problem.server";
import { apiBroadcasts } from "~/services/container.server";

export const getBroadcast = defineCall({
  ...{ method: "GET", path: "/api/Broadcast/{id}", name: "getBroadcast" },
  summary: "See how far a broadcast is",
  guard: withToken("broadcast:send"),
  params: { id: "As the call that sent it answered." },
  ok: standing,
  refusals: ["unknown_broadcast"],
  work: async ({ params }) => {
    const found = await apiBroadcasts.standingOf(params.id ?? "");
    return found ? { ok: inWords(found) } : problem("unknown_broadcast");
  },
});
