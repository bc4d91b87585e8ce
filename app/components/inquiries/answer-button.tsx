import { CircleCheck, RotateCcw } from "lucide-react";
import { Button } from "~/components/ui/button";
import { inquiryMessages as copy } from "~/content/inquiries";
import { cn } from "~/lib/utils";
import { COMPACT, COMPACT_LABEL } from "./compact";

interface AnswerButtonProps {
  inquiry: { id: string; name: string; email: string; answered_at: number | null };
  /** For the row of a table: an icon from sm on. */
  isCompact?: boolean;
}

/** Submits its form with the inquiry's id as `answer` or `reopen`. Loses nothing, so it needs no confirmation. */
export function AnswerButton({ inquiry, isCompact = false }: AnswerButtonProps) {
  const { id, name, email, answered_at } = inquiry;
  const isOpen = answered_at === null;
  const label = isOpen ? copy.answer : copy.reopen;
  const Icon = isOpen ? CircleCheck : RotateCcw;
  return (
    <Button
      type="submit"
      name={isOpen ? "answer" : "reopen"}
      value={id}
      size="sm"
      variant={isOpen && !isCompact ? "outline" : "ghost"}
      title={isCompact ? label : undefined}
      className={cn(isCompact && COMPACT)}
    >
      <Icon aria-hidden />
      <span className={cn(isCompact && COMPACT_LABEL)}>{label}</span>
      <span className="sr-only">: {name || email}</span>
    </Button>
  );
}
