import { Timestamp } from "~/components/timestamp";
import { Badge } from "~/components/ui/badge";
import { inquiryMessages as copy } from "~/content/inquiries";
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
  /** For the row of a table: from sm on, by whom is shown on hover. */
  isCompact?: boolean;
}

/** Says whether an inquiry is open, or by whom and when it was marked as answered. */
export function InquiryState({ inquiry, now, isCompact = false }: InquiryStateProps) {
  const { answered_at, answered_by } = inquiry;
  if (answered_at === null) return <Badge variant="warning">{copy.states.open}</Badge>;
  return (
    <span
      className={cn("text-xs text-muted-foreground", isCompact && "lg:whitespace-nowrap")}
      title={isCompact ? `${copy.by} ${answered_by}` : undefined}
    >
      <Badge variant="success">{copy.states.answered}</Badge> <Timestamp at={answered_at} now={now} />
      <span className={cn(isCompact && "sm:sr-only")}>
        {" "}
        {copy.by} <bdi>{answered_by}</bdi>
      </span>
    </span>
  );
}
