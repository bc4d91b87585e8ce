import { CodeBlock } from "~/components/code-block";
import { Collapsible, CollapsibleIcon, CollapsibleTrigger } from "~/components/ui/collapsible";
import { Skeleton } from "~/components/ui/skeleton";
import { outreachMessages as copy } from "~/content/outreach";
import { paths } from "~/paths";

interface EmailPreviewProps {
  /** The id of the draft or the campaign. */
  campaignId: string;
  email: { to: { address: string }; subject: string; text: string };
}

/** Shows an email in a frame that runs and loads nothing (hardening C17), and as programs without HTML show it. */
export function EmailPreview({ campaignId, email }: EmailPreviewProps) {
  return (
    <div className="flex flex-col gap-3">
      <p className="text-xs text-muted-foreground">{copy.asSeenBy(email.to.address)}</p>
      <p className="font-medium break-words">
        <bdi>{email.subject}</bdi>
      </p>
      <div className="relative h-96 overflow-hidden rounded-md border">
        <Skeleton className="absolute inset-0 rounded-none" />
        <iframe
          title={copy.emailFrame}
          src={paths.outreachEmail(campaignId)}
          sandbox=""
          loading="lazy"
          className="relative size-full"
        />
      </div>
      <Collapsible>
        <CollapsibleTrigger className="w-fit gap-1.5 text-muted-foreground hover:text-foreground">
          <CollapsibleIcon className="text-inherit" />
          {copy.plainText}
        </CollapsibleTrigger>
        <CodeBlock label={copy.plainText} className="mt-2 whitespace-pre-wrap">
          {email.text}
        </CodeBlock>
      </Collapsible>
    </div>
  );
}
