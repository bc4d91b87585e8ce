import { cn } from "~/lib/utils";

/** One version of a draft or template as an operator reads it. */
export interface ShownText {
  /** Shown beside the label: a campaign's group as submitted, which may be unknown, or a template's name. */
  audience: string;
  title: string;
  message: string;
}

interface DraftTextProps extends ShownText {
  label: string;
  /** What stands in the place of an empty message. */
  noText: string;
  className?: string;
}

/** Shows one version of a text beside another: a long one scrolls in its place. */
export function DraftText({ label, noText, audience, title, message, className }: DraftTextProps) {
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
      <p className="whitespace-pre-line text-foreground">{message || noText}</p>
    </section>
  );
}
