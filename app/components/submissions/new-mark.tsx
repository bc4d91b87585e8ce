import { Badge } from "~/components/ui/badge";
import { visitMessages } from "~/content/visits";

/** Marks what arrived since the operator's last visit, in a word. */
export function NewMark() {
  return <Badge variant="info">{visitMessages.mark}</Badge>;
}
