import { Timestamp } from "~/components/timestamp";
import { Badge } from "~/components/ui/badge";
import { inquiryMessages as copy } from "~/content/inquiries";
import { relativeTime } from "~/lib/format-time";
import { cn } from "~/lib/utils";

interface AnsweredInquiry {
  /** Epoch milliseconds; null while the inquiry is open. */
  answered_at: number | null;
  /** Address of the account that marked it. */
  answered_by: string | null;
}

interface InquiryStateProps {
  inquiry: AnsweredInquiry;
  now: number;
  /** For the row of a table: from sm on, by whom and when is shown on hover. */
  isCompact?: boolean;
}

/** Says whether an inquiry is open, or by whom and when it was marked as answered. */
export function InquiryState({ inquiry, now, isCompact = false }: InquiryStateProps) {
  const { answered_at, answered_by } = inquiry;
  if (answered_at === null) return <Badge variant="warning">{copy.states.open}</Badge>;
  return (
    <span
      className="text-xs text-muted-foreground"
      title={isCompact ? `${relativeTime(answered_at, now)} ${copy.by} ${answered_by}` : undefined}
    >
      <Badge variant="success">{copy.states.answered}</Badge>{" "}
      <span className={cn(isCompact && "sm:sr-only")}>
        <Timestamp at={answered_at} now={now} /> {copy.by} <bdi>{answered_by}</bdi>
      </span>
    </span>
  );
}
