import { z } from "zod";
import { isPlainAddress } from "~/lib/email-address";

const events = z.object({ events: z.array(z.unknown()) });

const NO_TIME = "must be a time like 2026-11-21T08:00:00Z";
const text = z.string().nullish();
const told = {
  address: z.string().trim().refine(isPlainAddress, { error: "must be one address like name@example.com" }),
  /** Of the mail it is about, with or without its angle brackets. */
  messageId: text.transform((value) => (value ?? "").trim().replace(/^<|>$/g, "")),
  /** In the words of whoever reports it. */
  reason: text.transform((value) => value ?? ""),
  /** When it happened. */
  at: z.iso
    .datetime({ offset: true, error: NO_TIME })
    .refine((value) => Number.isFinite(Date.parse(value)), { error: NO_TIME })
    .nullish()
    .transform((value) => value ?? ""),
};
const event = z.discriminatedUnion(
  "type",
  [
    z.object({ type: z.literal("bounce"), permanent: z.boolean("must be true or false"), ...told }),
    // Nobody takes a complaint back.
    z.object({ type: z.literal("complaint"), ...told }).transform((one) => ({ ...one, permanent: true })),
  ],
  { error: 'must be "bounce" or "complaint"' },
);

/** A whole report, for the document of the API. */
export const reportSchema = z.object({ events: z.array(event) });

/** What was reported of one mail. `at` is an ISO time, or empty. */
export type BounceEvent = z.infer<typeof event>;

/** `event` is the index of the first one that is wrong; undefined when the body as a whole is. */
export type ReadEvents =
  { ok: true; events: readonly BounceEvent[] } | { ok: false; event: number | undefined; message: string };

/** Reads the body of a report. Fields it does not know are passed over. One wrong event refuses them all. */
export function readBounceEvents(body: string): ReadEvents {
  const parsed = events.safeParse(parseJson(body));
  if (!parsed.success) {
    return { ok: false, event: undefined, message: 'The body must be JSON like {"events": [...]}.' };
  }
  const read: BounceEvent[] = [];
  for (const [index, given] of parsed.data.events.entries()) {
    const one = event.safeParse(given);
    if (!one.success) return { ok: false, event: index, message: problemWith(index, one.error) };
    read.push(one.data);
  }
  return { ok: true, events: read };
}

function problemWith(index: number, { issues: [issue] }: z.ZodError): string {
  const place = [`events[${index}]`, ...(issue?.path ?? [])].join(".");
  return `${place}: ${issue?.message ?? "is wrong"}.`;
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
