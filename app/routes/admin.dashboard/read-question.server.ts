import { z } from "zod";
import type { FormValues } from "~/lib/parse-form";
import type { ReviewedCampaign } from "~/services/outreach/confirm.server";

const count = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);
const schema = z.object({
  content: z.string(),
  through: count,
  counted: count,
});

/** Differs from the hash of every content. */
const UNREADABLE: ReviewedCampaign = {
  contentHash: "",
  through: 0,
  counted: 0,
};

/**
 * Reads the fields of QuestionFields. Values that this page did not write are read as a confirmation of
 * different content, so that the page asks again.
 */
export function readQuestion(form: FormValues): ReviewedCampaign {
  const parsed = schema.safeParse(form);
  if (!parsed.success) return UNREADABLE;
  const { content, through, counted } = parsed.data;
  return {
    contentHash: content,
    through,
    counted,
  };
}
