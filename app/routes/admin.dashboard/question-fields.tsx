import type { ReviewedCampaign } from "~/services/outreach/confirm.server";

/** What the question fixed, as its hidden fields carry it. */
export function QuestionFields({ question }: { question: ReviewedCampaign }) {
  return (
    <>
      <input type="hidden" name="content" value={question.contentHash} />
      <input type="hidden" name="through" value={question.through} />
      <input type="hidden" name="counted" value={question.counted} />
    </>
  );
}
