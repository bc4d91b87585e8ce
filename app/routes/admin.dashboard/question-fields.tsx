import type { Question } from "~/services/outreach/question.server";

/** What the question fixed, as its hidden fields carry it. */
export function QuestionFields({ question }: { question: Question }) {
  return (
    <>
      <input type="hidden" name="content" value={question.contentHash} />
      <input type="hidden" name="through" value={question.through} />
      <input type="hidden" name="counted" value={question.counted} />
    </>
  );
}
