import { z } from "zod";
import { getRequestOrigin } from "~/http/request-context.server";
import { reportSchema } from "~/services/bounces/bounces.server";
import { defineCall } from "../call.server";
import { withSignature } from "../guards.server";
import { problem } from "../problem.server";

export const receiveBounces = defineCall({
  method: "POST",
  path: "/api/bounces",
  name: "receiveBounces",
  summary: "Report bounces and complaints",
  description: "For email providers; docs/operations.md says how a report is signed.",
  guard: withSignature,
  signedBody: reportSchema,
  ok: z.object({ received: z.number(), recorded: z.number(), suppressed: z.number() }),
  refusals: ["invalid_events"],
  work: async ({ request, caller: bounces }) => {
    const signature = request.headers.get("X-Signature") ?? "";
    const body = new Uint8Array(await request.arrayBuffer());
    const receipt = await bounces.receive({ signature, body }, getRequestOrigin(request));
    if (receipt.ok) {
      const { received, recorded, suppressed } = receipt;
      return { ok: { received, recorded, suppressed } };
    }
    return receipt.error === "wrong-signature"
      ? problem("wrong_signature")
      : problem("invalid_events", { detail: receipt.message });
  },
});
