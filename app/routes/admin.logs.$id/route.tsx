import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { CopyButton } from "~/components/copy-button";
import { EmptyList } from "~/components/empty-list";
import { LEVEL_COLOURS } from "~/components/log-level";
import { LogTime } from "~/components/log-time";
import { useIsWide } from "~/components/list-detail";
import { PageHeader } from "~/components/page-header";
import { Badge } from "~/components/ui/badge";
import { Card, CardHeader, CardTitle } from "~/components/ui/card";
import { backOfficeTitle } from "~/components/use-brand";
import { logsMessages } from "~/content/logs";
import { cn } from "~/lib/utils";
import { breakStack, splitLogLine, visibleText } from "~/lib/log-line";
import { readFrom, toList, toRow } from "~/http/list-detail";
import { throwUnreadable } from "~/http/logs-view.server";
import { paths } from "~/paths";
import { access, logs } from "~/services/container.server";

/** Lines shown on either side. */
const LINES_PER_SIDE = 20;
const MAX_MESSAGE_LENGTH = 300;
/** Pixels above the line in which lines before it are seen. */
const LINES_ABOVE = 160;
const copy = logsMessages.line;

export const meta: MetaFunction = ({ matches, params }) => [
  { title: backOfficeTitle(matches, copy.title(Number(params.id) || 0)) },
];

export async function loader({ request, params }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  const from = readFrom(request);
  const id = /^\d{1,15}$/.test(params.id ?? "") ? Number(params.id) : 0;
  const lines = await logs.around(id, LINES_PER_SIDE).catch(throwUnreadable);
  const whole = lines?.find((line) => line.id === id);
  if (!lines || !whole) return data({ id, from, lines: [], whole: undefined }, { status: 404 });
  return data({
    id,
    from,
    whole: visibleText(whole.line),
    lines: lines.map(({ line, ...rest }) => {
      const { date, message } = splitLogLine({ level: rest.level, line });
      return { ...rest, date: visibleText(date), message: visibleText(message.slice(0, MAX_MESSAGE_LENGTH)) };
    }),
  });
}

/** Shows one line in full, among those logged before and after it: beside the log, and a page to share. */
export default function LogLine() {
  const { id, from, whole, lines } = useLoaderData<typeof loader>();
  const isWide = useIsWide();
  return (
    <>
      <PageHeader
        title={copy.title(id)}
        parent={{ to: toList(paths.logs, from), name: copy.list, preventScrollReset: isWide }}
        state={whole === undefined ? null : copy.state}
      />
      {whole === undefined ? (
        <EmptyList title={copy.gone} description={copy.goneText} />
      ) : (
        <Card className="overflow-hidden">
          <CardHeader className="border-b">
            <CardTitle>{copy.around}</CardTitle>
          </CardHeader>
          <ol className="divide-y">
            {lines.map((line) =>
              line.id === id ? (
                <WholeLine key={line.id} line={line} whole={whole} />
              ) : (
                <OtherLine key={line.id} line={line} from={from} isBeside={isWide} />
              ),
            )}
          </ol>
        </Card>
      )}
    </>
  );
}

const ROW =
  "grid grid-cols-[5rem_minmax(0,1fr)] items-baseline gap-x-4 gap-y-0.5 px-4 py-1.5 @min-[50rem]/detail:grid-cols-[5rem_12rem_minmax(0,1fr)]";
const MESSAGE = "@max-[50rem]/detail:col-span-2";

type Line = ReturnType<typeof useLoaderData<typeof loader>>["lines"][number];

/** The page's own line, to which the page scrolls. The focus stays in the list beside it; where there is none, it is here. */
function WholeLine({ line, whole }: { line: Line; whole: string }) {
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    const pane = row.current?.closest("[data-slot=detail]");
    if (!row.current || !pane) return;
    if (getComputedStyle(pane).overflowY === "visible") {
      row.current.focus({ preventScroll: true });
      row.current.scrollIntoView();
      return;
    }
    // Beside the list it scrolls by itself: scrollIntoView would scroll the list, too.
    const [line, top] = [row.current, pane].map((element) => element.getBoundingClientRect().top);
    pane.scrollTop += (line ?? 0) - (top ?? 0) - LINES_ABOVE;
  }, []);
  return (
    <li
      ref={row}
      tabIndex={-1}
      // Without JavaScript the browser scrolls to it.
      autoFocus
      aria-current="true"
      // Opens below some of the lines before it.
      className={cn(
        ROW,
        "relative scroll-mt-56 bg-primary-surface py-3 outline-none before:absolute before:inset-y-0 before:left-0 before:w-1 before:bg-primary",
        "focus-visible:ring-2 focus-visible:ring-ring focus-visible:ring-inset",
      )}
    >
      <Level level={line.level} />
      <LogTime at={line.at} date={line.date} className="text-xs text-muted-foreground" />
      <div className={cn("flex flex-col items-start gap-2", MESSAGE)}>
        <p className="font-mono text-xs leading-5 wrap-anywhere whitespace-pre-wrap">
          <bdi>{breakStack(whole)}</bdi>
        </p>
        <CopyButton text={whole} />
      </div>
    </li>
  );
}

/** A line before or after, which links to its own page. */
function OtherLine({ line, from, isBeside }: { line: Line; from: string; isBeside: boolean }) {
  return (
    <li data-row className={cn(ROW, "relative hover:bg-muted/60")}>
      <Level level={line.level} />
      <LogTime at={line.at} date={line.date} className="text-xs text-muted-foreground" />
      <Link
        to={toRow(paths.logLine(line.id), from)}
        replace
        preventScrollReset={isBeside}
        className={cn(
          "line-clamp-2 font-mono text-xs leading-5 wrap-anywhere underline-offset-4 after:absolute after:inset-0 hover:underline",
          MESSAGE,
        )}
      >
        <bdi>{line.message}</bdi>
      </Link>
    </li>
  );
}

function Level({ level }: { level: string }) {
  return (
    <Badge variant={LEVEL_COLOURS[level] ?? "secondary"} className="w-fit max-w-full truncate">
      {level || copy.ignored}
    </Badge>
  );
}

export { LogUnavailable as ErrorBoundary } from "~/components/log-unavailable";
