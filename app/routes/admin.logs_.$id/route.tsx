import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { CopyButton } from "~/components/copy-button";
import { EmptyList } from "~/components/empty-list";
import { LogTime } from "~/components/log-time";
import { PageHeader } from "~/components/page-header";
import { Badge } from "~/components/ui/badge";
import { ButtonLink } from "~/components/button-link";
import { Card, CardContent, CardTitle } from "~/components/ui/card";
import { backOfficeTitle } from "~/content/brand";
import { zoneMessages } from "~/content/lists";
import { logsMessages } from "~/content/logs";
import { cn } from "~/lib/utils";
import { parseLogLine, visibleText } from "~/lib/log-line";
import { paths } from "~/paths";
import { LEVEL_COLOURS } from "~/routes/admin.logs/filter";
import { access, logs } from "~/services/container.server";

/** Lines shown on either side. */
const LINES_PER_SIDE = 20;
const MAX_MESSAGE_LENGTH = 300;
const copy = logsMessages.line;

export const meta: MetaFunction = ({ params }) => [
  { title: backOfficeTitle(copy.title(Number(params.id) || 0)) },
];

export async function loader({ request, params }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  // The filter of the list that links here.
  const from = new URLSearchParams(new URL(request.url).searchParams.get("from") ?? "").toString();
  const id = /^\d{1,15}$/.test(params.id ?? "") ? Number(params.id) : 0;
  const lines = await logs.around(id, LINES_PER_SIDE);
  const whole = lines?.find((line) => line.id === id);
  if (!lines || !whole) return data({ id, from, lines: [], whole: undefined }, { status: 404 });
  return data({
    id,
    from,
    whole: visibleText(whole.line),
    lines: lines.map(({ line, ...rest }) => {
      const { date = "", message = line } = parseLogLine(line) ?? {};
      return { ...rest, date: visibleText(date), message: visibleText(message.slice(0, MAX_MESSAGE_LENGTH)) };
    }),
  });
}

/** Shows one line in full, among those logged before and after it: a page to share. */
export default function LogLine() {
  const { id, from, whole, lines } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        title={copy.title(id)}
        state={whole === undefined ? null : `${copy.state} ${zoneMessages.utc}`}
        actions={<ButtonLink to={from === "" ? paths.logs : `${paths.logs}?${from}`}>{copy.back}</ButtonLink>}
      />
      {whole === undefined ? (
        <EmptyList title={copy.gone} then={copy.goneText} />
      ) : (
        <div className="flex flex-col gap-4">
          <Card>
            <div className="flex items-center justify-between gap-3 px-4 pt-3">
              <CardTitle>{copy.whole}</CardTitle>
              <CopyButton text={whole} />
            </div>
            <CardContent className="pt-2">
              <p className="font-mono text-xs leading-5 wrap-anywhere whitespace-pre-wrap">
                <bdi>{breakStack(whole)}</bdi>
              </p>
            </CardContent>
          </Card>
          <SurroundingLines id={id} from={from} lines={lines} />
        </div>
      )}
    </>
  );
}

/** Puts each call of a stack on its own line; other line ends stay escaped. */
function breakStack(line: string): string {
  return line.replace(/\\n(?= +at )/g, "\n");
}

type SurroundingLinesProps = Pick<ReturnType<typeof useLoaderData<typeof loader>>, "id" | "from" | "lines">;

/** Lists the lines before and after, oldest first; each links to its own page. */
function SurroundingLines({ id, from, lines }: SurroundingLinesProps) {
  return (
    <Card className="overflow-hidden">
      <CardTitle className="border-b px-4 py-3">{copy.around}</CardTitle>
      <ol className="divide-y">
        {lines.map((line) => (
          <li
            key={line.id}
            aria-current={line.id === id ? "true" : undefined}
            className={cn(
              "relative grid grid-cols-[5rem_minmax(0,1fr)] items-baseline gap-x-4 gap-y-0.5 px-4 py-1.5 md:grid-cols-[5rem_12rem_minmax(0,1fr)]",
              line.id === id ? "bg-primary-surface" : "hover:bg-muted/60",
            )}
          >
            <Badge variant={LEVEL_COLOURS[line.level] ?? "secondary"} className="w-fit max-w-full truncate">
              {line.level || copy.ignored}
            </Badge>
            <LogTime at={line.at} date={line.date} className="text-xs text-muted-foreground" />
            <Link
              to={paths.logLine(line.id, from)}
              replace
              className="line-clamp-2 font-mono text-xs leading-5 wrap-anywhere underline-offset-4 after:absolute after:inset-0 hover:underline max-md:col-span-2"
            >
              <bdi>{line.message}</bdi>
            </Link>
          </li>
        ))}
      </ol>
    </Card>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
