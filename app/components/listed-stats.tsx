import { cn } from "~/lib/class-names";
import { operatorMessages } from "~/content/operator-messages";

const copy = operatorMessages.sends;

interface ListedStatsProps {
  selected: number;
  sent: number;
  failed: number;
  className?: string;
}

/** Shows how many recipients were sent to and how many failed; empty before any are selected. */
export function ListedStats({ selected, sent, failed, className }: ListedStatsProps) {
  if (selected === 0) return null;
  return (
    <span className={cn("flex flex-wrap gap-x-2 tabular-nums", className)}>
      <span className="whitespace-nowrap">{copy.sentCount(sent, selected)}</span>
      {failed > 0 ? <span className="whitespace-nowrap text-danger">{copy.failed(failed)}</span> : null}
    </span>
  );
}
