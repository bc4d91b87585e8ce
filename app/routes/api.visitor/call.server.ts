import { z } from "zod";
import { defineCall } from "~/api/call.server";
import { forEverybody } from "~/api/guards.server";
import { problem } from "~/api/problem.server";
import { paths } from "~/paths";
import { signInVisitor, visitorCookie } from "~/services/container.server";

export const signInVisitorHere = defineCall({
  ...{ method: "POST", path: paths.visitorApi, name: "signInVisitor" },
  summary: "Sign a visitor of the landing page in for push notifications",
  description:
    "The one this browser was before, by a cookie, or a new one. For our own page; stores nothing.",
  guard: forEverybody,
  ok: z.object({
    uid: z.string(),
    idToken: z.string(),
    expiresAt: z.number().meta({ description: "Milliseconds since 1970." }),
  }),
  // With Firebase its own servers sign visitors in.
  refusals: ["visitors_elsewhere"],
  work: async ({ request }) => {
    if (!signInVisitor) return problem("visitors_elsewhere");
    const { uid, idToken, expiresAt, refreshToken } = signInVisitor(await visitorCookie.read(request));
    const headers = { "Set-Cookie": await visitorCookie.keep(refreshToken) };
    return { ok: { uid, idToken, expiresAt }, headers };
  },
});
