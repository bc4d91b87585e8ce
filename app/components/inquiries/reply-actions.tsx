import { Reply } from "lucide-react";
import { CopyButton } from "~/components/copy-button";
import { Button } from "~/components/ui/button";
import { useBrand } from "~/components/use-brand";
import { inquiryMessages as copy } from "~/content/inquiries";
import { createReplyLink } from "~/lib/reply-link";
import { cn } from "~/lib/utils";
import { COMPACT, COMPACT_LABEL } from "./compact";

interface ReplyActionsProps {
  inquiry: { name: string; email: string; inquiry_type: string; message: string; created_at: number };
  /** For the row of a table: Reply is an icon from sm on, the other always. */
  isCompact?: boolean;
}

/** Opens a reply in the mail program of the operator, and copies the address for those who have none. */
export function ReplyActions({ inquiry, isCompact = false }: ReplyActionsProps) {
  const { name, email, inquiry_type, message, created_at } = inquiry;
  const brand = useBrand();
  const link = createReplyLink({
    to: email,
    subject: copy.replySubject(inquiry_type, brand.name),
    intro: copy.quoteIntro(created_at),
    quoted: message,
  });
  return (
    <>
      <Button
        asChild
        variant={isCompact ? "ghost" : "outline"}
        size="sm"
        className={cn(isCompact && COMPACT)}
      >
        <a href={link} title={isCompact ? copy.reply : undefined}>
          <Reply aria-hidden />
          <span className={cn(isCompact && COMPACT_LABEL)}>{copy.reply}</span>
          <span className="sr-only">: {name || email}</span>
        </a>
      </Button>
      <CopyButton
        text={email}
        label={copy.copyAddress}
        of={name || email}
        variant="ghost"
        size={isCompact ? "icon" : "sm"}
        keepsSpace
      />
    </>
  );
}
