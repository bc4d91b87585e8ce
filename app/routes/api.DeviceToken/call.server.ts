import { z } from "zod";
import { defineCall } from "~/api/call.server";
import { withVisitor } from "~/api/guards.server";
import { problem, retryAfter } from "~/api/problem.server";
import { done, success } from "~/api/success";
import { brand } from "~/brand";
import { paths } from "~/paths";
import { originOf } from "~/request-context.server";
import { devices } from "~/services/container.server";

export const registerDevice = defineCall({
  ...{ method: "POST", path: paths.deviceTokenApi, name: "registerDevice" },
  summary: "Keep the device of a visitor who wants push notifications",
  guard: withVisitor,
  body: z.object({
    token: z.string().meta({ description: "As the push service of the page gave it." }),
    userId: z.string().meta({ description: "Whose the ID token is." }),
    appType: z.string().meta({ description: `"${brand.appTypes.landing}".` }),
  }),
  ok: success,
  refusals: ["foreign_device", "unusable_device", "too_many_devices"],
  work: async ({ request, who: uid, body }) => {
    const { address, requestId } = originOf(request);
    const outcome = await devices.register(body, { uid, address, requestId });
    if (outcome.ok) return done;
    if (outcome.error === "limited")
      return problem("too_many_devices", retryAfter(outcome.retryAfterSeconds));
    return problem(outcome.error === "foreign" ? "foreign_device" : "unusable_device");
  },
});
