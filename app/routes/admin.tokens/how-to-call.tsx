import { ChevronDown } from "~/components/icons";
import { Card } from "~/components/ui/card";
import { tokenMessages as copy } from "~/content/tokens";
import { paths } from "~/paths";

/** Replaces the empty list: says what a token is for. */
export function FirstToken({ origin }: { origin: string }) {
  return (
    <Card className="flex flex-col gap-3 p-4">
      <h2 className="font-medium">{copy.emptyTitle}</h2>
      <p className="max-w-[68ch] text-muted-foreground">{copy.empty}</p>
      <Example origin={origin} />
    </Card>
  );
}

/** The same example below a list of tokens. */
export function HowToCall({ origin }: { origin: string }) {
  return (
    <details className="group rounded-lg border bg-surface">
      <summary className="flex cursor-pointer items-center justify-between gap-3 rounded-lg px-4 py-2.5 text-sm font-medium">
        {copy.howTitle}
        <ChevronDown
          aria-hidden
          className="size-4 shrink-0 text-muted-foreground transition-transform group-open:rotate-180"
        />
      </summary>
      <div className="flex flex-col gap-3 border-t p-4">
        <p className="text-muted-foreground">{copy.how}</p>
        <Example origin={origin} />
      </div>
    </details>
  );
}

function Example({ origin }: { origin: string }) {
  return (
    <>
      <pre
        // May be wider than the screen: it scrolls by keyboard too.
        tabIndex={0}
        role="region"
        aria-label={copy.howTitle}
        className="overflow-x-auto rounded-md border bg-muted/60 p-3 font-mono text-xs leading-5"
      >
        {formatExample(origin)}
      </pre>
      <p className="text-xs text-muted-foreground">
        {copy.further.before} <code className="font-mono">docs/api.md</code> {copy.further.after}
      </p>
    </>
  );
}

function formatExample(origin: string): string {
  const email = {
    ToEmail: "ada@example.com",
    Subject: "Your invitation",
    Content: "<p>Come in, Ada.</p>",
  };
  return [
    `curl ${origin}${paths.apiSendEmail} \\`,
    `  -H "Authorization: Bearer fd_..." \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -H "Idempotency-Key: invitation-of-ada" \\`,
    `  -d '${JSON.stringify(email)}'`,
  ].join("\n");
}
