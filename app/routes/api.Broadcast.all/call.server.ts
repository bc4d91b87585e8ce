import { z } from "zod";
import { answerBroadcast, broadcastCall, contentFields } from "~/api/answer-broadcast.server";
import { defineCall } from "~/api/call.server";

export const broadcastToAll = defineCall({
  ...{ ...broadcastCall, path: "/api/Broadcast/all", name: "broadcastToAll" },
  summary: "Send a push notification to all devices",
  description: "Answers when all have been tried, after 25 seconds at most; then with 202 and how far it is.",
  body: z.strictObject(contentFields),
  work: (given) => answerBroadcast(given, { ...given.body, audience: "all", tenant: undefined }),
});
