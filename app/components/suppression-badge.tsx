import { Badge } from "~/components/ui/badge";
import { suppressionMessages } from "~/content/suppressions";

type SuppressionBadgeProps = { reason: keyof typeof suppressionMessages.reasons };

/** In the row of a table: why an address gets no email, cut to its column. */
export function SuppressionBadge({ reason }: SuppressionBadgeProps) {
  const text = suppressionMessages.reasons[reason];
  return (
    <Badge variant="warning" title={text} className="inline-block max-w-full truncate leading-4.5">
      {text}
    </Badge>
  );
}
