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
      <iframe
        title={copy.emailFrame}
        src={paths.outreachEmail(campaignId)}
        sandbox=""
        loading="lazy"
        className="h-96 w-full rounded-md border"
      />
      <details>
        <summary className="disclosure flex w-fit items-center gap-1.5 rounded-sm text-muted-foreground before:text-inherit hover:text-foreground">
          {copy.plainText}
        </summary>
        <pre className="mt-2 overflow-x-auto rounded-md border bg-muted p-3 font-mono text-xs whitespace-pre-wrap">
          {email.text}
        </pre>
      </details>
    </div>
  );
}
