import { z } from "zod";
import { appTypes } from "~/content/brand";
import { getRequestOrigin } from "~/http/request-context.server";
import { paths } from "~/paths";
import { devices, signInVisitor, visitorCookie } from "~/services/container.server";
import { defineCall, done, success } from "../call.server";
import { publicAccess, withVisitor } from "../guards.server";
import { problem, retryAfter } from "../problem.server";

export const registerDevice = defineCall({
  method: "POST",
  path: paths.deviceTokenApi,
  name: "registerDevice",
  summary: "Register the device of a visitor for push notifications",
  guard: withVisitor,
  body: z.object({
    token: z.string().meta({ description: "From the page's push service." }),
    userId: z.string().meta({ description: "The user of the ID token." }),
    appType: z.string().meta({ description: `"${appTypes.landing}".` }),
  }),
  ok: success,
  refusals: ["foreign_device", "unusable_device", "too_many_devices"],
  work: async ({ request, caller: uid, body }) => {
    const outcome = await devices.register(body, { uid, ...getRequestOrigin(request) });
    if (outcome.ok) return done;
    if (outcome.error === "limited")
      return problem("too_many_devices", retryAfter(outcome.retryAfterSeconds));
    return problem(outcome.error === "foreign" ? "foreign_device" : "unusable_device");
  },
});

export const signInVisitorHere = defineCall({
  method: "POST",
  path: paths.visitorApi,
  name: "signInVisitor",
  summary: "Sign a visitor of the landing page in for push notifications",
  description:
    "The same visitor as before, known by a cookie, or a new one. For our own page; stores nothing.",
  guard: publicAccess,
  ok: z.object({
    uid: z.string(),
    idToken: z.string(),
    expiresAt: z.number().meta({ description: "Milliseconds since 1970." }),
  }),
  // With Firebase, its own servers sign visitors in.
  refusals: ["visitors_elsewhere"],
  work: async ({ request }) => {
    if (!signInVisitor) return problem("visitors_elsewhere");
    const { uid, idToken, expiresAt, refreshToken } = signInVisitor(await visitorCookie.read(request));
    const headers = { "Set-Cookie": await visitorCookie.keep(refreshToken) };
    return { ok: { uid, idToken, expiresAt }, headers };
  },
});
