import { z } from "zod";

/** The response of a call without a result. */
export const success = z.object({ status: z.literal("success") });
export const done = { ok: { status: "success" } } as const;
