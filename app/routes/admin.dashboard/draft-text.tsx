import { outreachMessages as copy } from "~/content/outreach";
import { cn } from "~/lib/utils";
import type { DraftContent } from "~/services/outreach/drafts.server";

/** One version of a draft as an operator reads it; its group as submitted, which may be unknown. */
export interface ShownText extends Pick<DraftContent, "title" | "message"> {
  audience: string;
}

interface DraftTextProps extends ShownText {
  label: string;
  className?: string;
}

/** Shows one version of a draft beside another: a long one scrolls in its place. */
export function DraftText({ label, audience, title, message, className }: DraftTextProps) {
  return (
    <section
      aria-label={label}
      tabIndex={0}
      className={cn("max-h-60 overflow-y-auto border-l-2 pl-3 wrap-anywhere", className)}
    >
      <p className="text-xs text-muted-foreground">
        {label}
        {audience ? ` · ${audience}` : null}
      </p>
      <p className="font-medium text-foreground">{title}</p>
      <p className="whitespace-pre-line text-foreground">{message || copy.noText}</p>
    </section>
  );
}
