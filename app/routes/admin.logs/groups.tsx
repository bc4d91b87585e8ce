import { Link } from "@remix-run/react";
import { CircleAlert, Info, type LucideIcon, Tag, TriangleAlert } from "lucide-react";
import { LogTime } from "~/components/log-time";
import { Card, CardAction, CardFooter, CardHeader, CardTitle } from "~/components/ui/card";
import { Collapsible, CollapsibleContent, CollapsibleTrigger } from "~/components/ui/collapsible";
import {
  Table,
  TableBody,
  TableCaption,
  TableCell,
  TableHead,
  TableHeader,
  TableRow,
} from "~/components/ui/table";
import { logsMessages as copy } from "~/content/logs";
import { getLogsUrl } from "~/http/lists/logs-list";
import type { LogGroup, LogsView } from "~/http/logs-view.server";
import { cn } from "~/lib/utils";
import { grouped } from "~/lib/format-number";
import { LineLink, Message } from "./line-parts";

/** More characters than a line of a phone holds. */
const PREVIEW_LENGTH = 50;

/** Colours of the specification, each with an icon for people who cannot tell them apart. */
const LOOKS: Readonly<Record<string, { readonly header: string; readonly icon: LucideIcon }>> = {
  INFO: { header: "border-info/40 bg-info-surface text-info", icon: Info },
  WARN: { header: "border-warning/40 bg-warning-surface text-warning", icon: TriangleAlert },
  ERROR: { header: "border-destructive/40 bg-destructive-surface text-destructive", icon: CircleAlert },
};
const UNKNOWN = { header: "bg-muted text-muted-foreground", icon: Tag };

/** Classes of all lines, on their parent: a page has a hundred lines, each in the table and in the list. */
const ROWS = cn(
  "text-xs leading-5 [&>tr]:scroll-mt-16 [&>tr]:border-b-0 [&>tr]:even:bg-muted/50 [&>tr]:hover:bg-muted",
  "[&>tr>td]:py-1.5 [&>tr>td:first-child]:pl-4 [&>tr>td:last-child]:pr-4",
);
const ENTRIES = cn(
  "divide-y sm:hidden [&>li]:scroll-mt-16 [&>li]:even:bg-muted/50",
  "[&_summary]:min-h-11 [&_summary]:px-4 [&_summary]:py-2",
  "[&_summary>span]:min-w-0 [&_summary>span]:truncate [&_summary>span]:text-xs [&_summary>span]:text-muted-foreground",
  "[&_[open]>summary>span]:hidden",
  // The arrow, as CollapsibleIcon draws it.
  "[&_summary]:before:mr-1 [&_summary]:before:size-1.5 [&_summary]:before:shrink-0 [&_summary]:before:rotate-45",
  "[&_summary]:before:border-t-[1.5px] [&_summary]:before:border-r-[1.5px] [&_summary]:before:border-muted-foreground",
  "[&_summary]:before:transition-transform [&_[open]>summary]:before:rotate-135",
);

/** Lists the lines by level: a table from sm on, below it a list whose entries expand. */
export function Groups({ view }: { view: LogsView }) {
  return view.groups.map((group) => <Group key={group.level} group={group} view={view} />);
}

function Group({ group, view }: { group: LogGroup; view: LogsView }) {
  const { level, count, counted, lines } = group;
  const { header, icon: Icon } = LOOKS[level] ?? UNKNOWN;
  return (
    <Card role="region" aria-labelledby={`level-${level}`} className="overflow-hidden">
      <CardHeader className={cn("border-b", header)}>
        <CardTitle id={`level-${level}`} className="flex items-center gap-2">
          <Icon aria-hidden className="size-4 shrink-0" />
          {level}
        </CardTitle>
        <CardAction className="text-xs font-medium tabular-nums">
          {counted === "all" ? grouped(count) : copy.counted[counted](count)}
        </CardAction>
      </CardHeader>
      {lines.length > 0 ? (
        <>
          <WideTable level={level} lines={lines} view={view} />
          <SmallList lines={lines} view={view} />
        </>
      ) : null}
      {view.isOverview && count > lines.length ? (
        <CardFooter className="flex-wrap gap-x-3 py-2.5 text-xs text-muted-foreground">
          {lines.length > 0 ? copy.newestLines(lines.length) : null}
          <Link
            to={getLogsUrl({ ...view.values, level })}
            className="font-medium text-primary underline-offset-4 hover:underline"
          >
            {copy.allLines(level, counted === "all" ? count : undefined)}
          </Link>
        </CardFooter>
      ) : null}
    </Card>
  );
}

type LinesProps = { lines: LogGroup["lines"]; view: LogsView };

function WideTable({ level, lines, view }: LinesProps & { level: string }) {
  const [number, date, message] = copy.columns;
  return (
    <Table className="hidden table-fixed sm:table">
      <TableCaption className="sr-only">{copy.groupTable(level)}</TableCaption>
      <TableHeader>
        <TableRow className="hover:bg-transparent">
          <TableHead scope="col" className="w-16 pl-4">
            {number}
          </TableHead>
          <TableHead scope="col" className="w-50 beside:hidden">
            {date}
          </TableHead>
          <TableHead scope="col" className="pr-4">
            {message}
          </TableHead>
        </TableRow>
      </TableHeader>
      <TableBody className={ROWS}>
        {lines.map((line, index) => (
          // Only the line that is shown whole is the target of a link (Message).
          <TableRow key={line.id} id={line.id === view.whole ? `row-${line.id}` : undefined}>
            <TableCell>
              <LineLink id={line.id} label={`${index + 1}. ${copy.openLine(line.id)}`}>
                {index + 1}
              </LineLink>
            </TableCell>
            <TableCell className="text-muted-foreground beside:hidden">
              <LogTime at={line.at} date={line.date} />
            </TableCell>
            <TableCell className="font-mono wrap-anywhere whitespace-pre-wrap beside:[&_bdi]:line-clamp-2">
              <Message line={line} view={view} anchor={`row-${line.id}`} />
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

function SmallList({ lines, view }: LinesProps) {
  return (
    <ul className={ENTRIES}>
      {lines.map((line) => (
        <li key={line.id} id={line.id === view.whole ? `line-${line.id}` : undefined}>
          <Collapsible open={line.id === view.whole}>
            <CollapsibleTrigger>
              <LogTime at={line.at} date={line.date} brief />
              <span aria-hidden>{line.message.slice(0, PREVIEW_LENGTH).toWellFormed()}</span>
            </CollapsibleTrigger>
            <CollapsibleContent className="flex flex-col items-start gap-2 px-4 pb-3 text-xs leading-5">
              <div className="font-mono wrap-anywhere whitespace-pre-wrap">
                <Message line={line} view={view} anchor={`line-${line.id}`} />
              </div>
              <LineLink id={line.id}>{copy.openLine(line.id)}</LineLink>
            </CollapsibleContent>
          </Collapsible>
        </li>
      ))}
    </ul>
  );
}
