import { writingMessages } from "~/content/writing";
import type { MessageFormat } from "~/lib/message-format";
import { cn } from "~/lib/utils";

/** One version of a draft or template as an operator reads it. */
export interface ShownText {
  /** Shown beside the label: a campaign's group as submitted, which may be unknown, or a template's name. */
  audience: string;
  /** A campaign's audience in words; a template has none. */
  narrowed?: string | undefined;
  title: string;
  message: string;
  /** undefined: not known. */
  format?: MessageFormat | undefined;
}

interface DraftTextProps extends ShownText {
  label: string;
  /** What stands in the place of an empty message. */
  noText: string;
  className?: string;
}

/** Shows one version of a text beside another: a long one scrolls in its place. */
export function DraftText({
  label,
  noText,
  audience,
  narrowed,
  title,
  message,
  format,
  className,
}: DraftTextProps) {
  return (
    <section
      aria-label={label}
      tabIndex={0}
      className={cn("max-h-60 overflow-y-auto border-l-2 pl-3 wrap-anywhere", className)}
    >
      <p className="text-xs text-muted-foreground">
        {label}
        {audience ? ` · ${audience}` : null}
        {narrowed ? (
          <>
            {" · "}
            <bdi>{narrowed}</bdi>
          </>
        ) : null}
        {format ? ` · ${writingMessages.formats[format]}` : null}
      </p>
      <p className="font-medium text-foreground">{title}</p>
      <p className="whitespace-pre-line text-foreground">{message || noText}</p>
    </section>
  );
}
