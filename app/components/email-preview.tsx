import { useState } from "react";
import { CodeBlock } from "~/components/code-block";
import { Collapsible, CollapsibleIcon, CollapsibleTrigger } from "~/components/ui/collapsible";
import { Skeleton } from "~/components/ui/skeleton";
import { ToggleGroup, ToggleGroupItem } from "~/components/ui/toggle-group";
import { useHydrated } from "~/components/use-hydrated";
import { outreachMessages as copy } from "~/content/outreach";
import { writingMessages } from "~/content/writing";
import { linkTo } from "~/http/list-state";
import type { Sample } from "~/lib/email-sample";

export type PreviewedEmail = Record<
  Sample,
  {
    to: { address: string };
    subject: string;
    text: string;
    htmlBytes: number;
    /** Another one for each other HTML. */
    version: string;
  }
>;

interface EmailPreviewProps {
  /** URL of the document that the frame shows; `?for=` names whose email it is. */
  source: string;
  email: PreviewedEmail;
}

/**
 * Shows an email in a frame that runs and loads nothing (hardening C17), and as programs without HTML show it; with
 * JavaScript also as somebody gets it who left everything but the address empty.
 */
export function EmailPreview({ source, email }: EmailPreviewProps) {
  const isHydrated = useHydrated();
  const [sample, setSample] = useState<Sample>("first");
  const { to, subject, text, htmlBytes, version } = email[sample];
  const readers = { first: copy.asSeenBy(to.address), nameless: writingMessages.nameless };
  const frame = linkTo(source, { for: sample, version });
  const words = text.split(/\s+/).filter(Boolean).length;
  return (
    <div className="flex flex-col gap-3">
      {isHydrated ? (
        <ToggleGroup aria-label={writingMessages.readers} variant="outline" spacing={1}>
          {Object.entries(writingMessages.samples).map(([each, label]) => (
            <ToggleGroupItem
              key={each}
              type="button"
              aria-pressed={each === sample}
              onClick={() => setSample(each as Sample)}
            >
              {label}
            </ToggleGroupItem>
          ))}
        </ToggleGroup>
      ) : null}
      <p className="text-xs wrap-anywhere text-muted-foreground">{readers[sample]}</p>
      <p className="font-medium break-words">
        <bdi>{subject}</bdi>
      </p>
      <div className="relative h-96 overflow-hidden rounded-md border">
        <Skeleton className="absolute inset-0 rounded-none" />
        <iframe
          title={copy.emailFrame}
          // A new frame: one that goes to another address adds a step to Back.
          key={frame}
          src={frame}
          sandbox=""
          loading="lazy"
          className="relative size-full"
        />
      </div>
      <p className="text-xs text-muted-foreground">
        {writingMessages.length(words, Math.ceil(htmlBytes / 1024))}
      </p>
      <Collapsible>
        <CollapsibleTrigger className="w-fit gap-1.5 text-muted-foreground hover:text-foreground">
          <CollapsibleIcon className="text-inherit" />
          {copy.plainText}
        </CollapsibleTrigger>
        <CodeBlock label={copy.plainText} className="mt-2 whitespace-pre-wrap">
          {text}
        </CodeBlock>
      </Collapsible>
    </div>
  );
}
