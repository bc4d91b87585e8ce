import { z } from "zod";

/** The answer of a call that has nothing to tell but that it is done. */
export const success = z.object({ status: z.literal("success") });
export const done = { ok: { status: "success" } } as const;
