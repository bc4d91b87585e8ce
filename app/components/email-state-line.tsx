import { CircleAlert, CircleCheck, Clock, type LucideIcon } from "lucide-react";
import { formatEmailState, type EmailState } from "~/content/email-state";
import { cn } from "~/lib/utils";

const LOOKS: Record<EmailState["kind"], { icon: LucideIcon; color: string } | undefined> = {
  none: undefined,
  queued: { icon: Clock, color: "text-warning" },
  accepted: { icon: CircleCheck, color: "text-success" },
  refused: { icon: CircleAlert, color: "text-destructive" },
  "not-sent": { icon: CircleAlert, color: "text-destructive" },
  unknown: { icon: CircleAlert, color: "text-warning" },
};

/** What became of an email, with the mail server's words or our own reason. */
export function EmailStateLine({ state }: { state: EmailState }) {
  const { icon: Icon, color } = LOOKS[state.kind] ?? {};
  return (
    <span className="flex items-start gap-1.5">
      {Icon ? <Icon aria-hidden className={cn("mt-0.5 size-4 shrink-0", color)} /> : null}
      <span className="wrap-anywhere">{formatEmailState(state)}</span>
    </span>
  );
}
