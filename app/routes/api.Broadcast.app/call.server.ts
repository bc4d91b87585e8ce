import { z } from "zod";
import { answerBroadcast, broadcastCall, contentFields } from "~/api/answer-broadcast.server";
import { defineCall } from "~/api/call.server";
import { brand } from "~/brand";

const { landing, application } = brand.appTypes;
const rule = `must be "${landing}" or "${application}"`;

export const broadcastToApp = defineCall({
  ...{ ...broadcastCall, path: "/api/Broadcast/app", name: "broadcastToApp" },
  summary: "Send a push notification to the devices of one app",
  description: "The landing page's subscribers or the application's users. Answers as Broadcast/all does.",
  body: z.strictObject({ ...contentFields, appType: z.enum([landing, application], { error: rule }) }),
  work: (given) => {
    const { title, body, appType } = given.body;
    const audience = appType === landing ? "landing" : "application";
    return answerBroadcast(given, { title, body, audience, tenant: undefined });
  },
});
