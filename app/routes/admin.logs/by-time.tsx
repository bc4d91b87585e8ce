import { useRef } from "react";
import { LEVEL_COLOURS } from "~/components/log-level";
import { LogTime } from "~/components/log-time";
import { Badge } from "~/components/ui/badge";
import { Button } from "~/components/ui/button";
import { Card, CardAction, CardHeader, CardTitle } from "~/components/ui/card";
import { logsMessages } from "~/content/logs";
import type { LogsView } from "~/http/logs-view.server";
import { cn } from "~/lib/utils";
import { LineLink, Message } from "./line-parts";
import { useHeldLines } from "./use-held-lines";

const copy = logsMessages.byTime;
const TITLE_ID = "by-time";

const ROW = cn(
  "grid scroll-mt-28 scroll-mb-12 grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4 px-4 py-1.5 text-xs leading-5 hover:bg-muted/60",
  "has-[a[aria-current=true]]:bg-primary-surface",
  "md:grid-cols-[9.5rem_4.5rem_minmax(0,1fr)] beside:grid-cols-[auto_3.5rem_minmax(0,1fr)] beside:gap-x-2",
  // From lg on a message is cut to one line, for its row opens beside the list; not in the row that `?whole=` names, which alone has an id.
  "lg:[&:not([id])_bdi]:block lg:[&:not([id])_bdi]:truncate",
);

/**
 * Lists the lines of all levels, newest first. While the page is live new lines appear at the top, or wait behind a
 * button while somebody reads.
 */
export function LinesByTime({ view, isLive }: { view: LogsView; isLive: boolean }) {
  const title = useRef<HTMLHeadingElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const { shown, waiting, showNewest } = useHeldLines(view, isLive, list);
  /** There may be more of them than a page has. */
  const isWholePage = waiting === view.lines.length;
  return (
    // Clipped instead of hidden, so that the header can stick to the top bar.
    <Card role="region" aria-labelledby={TITLE_ID} className="overflow-clip">
      <CardHeader className="sticky top-12 z-10 min-h-12 border-b bg-card">
        <CardTitle asChild>
          <h2 ref={title} id={TITLE_ID} tabIndex={-1} className="outline-none">
            {copy.title}
          </h2>
        </CardTitle>
        <CardAction className="-my-1.5">
          {/* Says it once; the number beside it changes every two seconds. */}
          <span role="status" className="sr-only">
            {waiting > 0 ? copy.waiting : null}
          </span>
          {waiting > 0 ? (
            <Button
              type="button"
              className="tabular-nums"
              onClick={() => {
                showNewest();
                // The button goes: the focus stays near it, and the new lines are below.
                title.current?.focus({ preventScroll: true });
                list.current?.scrollIntoView();
              }}
            >
              {copy.newLines(waiting, isWholePage)}
            </Button>
          ) : null}
        </CardAction>
      </CardHeader>
      <ol ref={list} aria-labelledby={TITLE_ID} className="scroll-mt-24 divide-y">
        {shown.lines.map((line) => (
          <li
            key={line.id}
            id={line.id === view.whole ? `line-${line.id}` : undefined}
            data-row
            className={ROW}
          >
            <LineLink id={line.id}>
              <LogTime at={line.at} date={line.date} />
              <span className="sr-only">. {logsMessages.openLine(line.id)}</span>
            </LineLink>
            <Badge variant={LEVEL_COLOURS[line.level] ?? "secondary"} className="max-w-full truncate">
              {line.level}
            </Badge>
            <div className="font-mono wrap-anywhere whitespace-pre-wrap max-md:col-span-2">
              <Message line={line} view={view} anchor={`line-${line.id}`} linkClassName="lg:hidden" />
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}
