import { Link, useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { ChevronRight, CircleAlert, Info, type Icon, Tag, TriangleAlert } from "~/components/icons";
import { LogTime } from "~/components/log-time";
import { PageLinks } from "~/components/page-links";
import { operatorMessages } from "~/content/operator-messages";
import { cn } from "~/lib/class-names";
import { grouped } from "~/lib/format-number";
import { paths } from "~/paths";
import { getLogsUrl } from "./filter";
import type { LogGroup, LogsView } from "./logs-view.server";

const copy = operatorMessages.logs;

/** Colours of the specification, each with an icon for people who cannot tell them apart. */
const LOOKS: Readonly<Record<string, { readonly header: string; readonly icon: Icon }>> = {
  INFO: { header: "border-info/40 bg-info-surface text-info", icon: Info },
  WARN: { header: "border-warning/40 bg-warning-surface text-warning", icon: TriangleAlert },
  ERROR: { header: "border-danger/40 bg-danger-surface text-danger", icon: CircleAlert },
};
const UNKNOWN = { header: "bg-muted text-muted-foreground", icon: Tag };

/** Lists the lines by level: a table from sm on, below it a list whose entries expand. */
export function Groups({ view }: { view: LogsView }) {
  return view.groups.map((group) => <Group key={group.level} group={group} view={view} />);
}

function Group({ group, view }: { group: LogGroup; view: LogsView }) {
  const { level, count, isFound, lines } = group;
  const { header, icon: Icon } = LOOKS[level] ?? UNKNOWN;
  return (
    <section aria-labelledby={`level-${level}`} className="overflow-hidden rounded-lg border bg-surface">
      <div className={cn("flex h-11 items-center gap-2 border-b px-4", header)}>
        <Icon aria-hidden className="size-4 shrink-0" />
        <h2 id={`level-${level}`} className="text-sm font-semibold">
          {level}
        </h2>
        <p className="ml-auto text-xs font-medium tabular-nums">
          {isFound ? copy.found(count) : grouped(count)}
        </p>
      </div>
      <WideTable level={level} lines={lines} view={view} />
      <SmallList lines={lines} view={view} />
      {view.isOverview && count > lines.length ? (
        <p className="flex flex-wrap gap-x-3 border-t px-4 py-2.5 text-xs text-muted-foreground">
          {copy.newestLines(lines.length)}
          <Link
            to={getLogsUrl({ ...view.values, level })}
            className="font-medium text-primary underline-offset-4 hover:underline"
          >
            {copy.allLines(level, count)}
          </Link>
        </p>
      ) : null}
    </section>
  );
}

type LinesProps = { lines: LogGroup["lines"]; view: LogsView };

function WideTable({ level, lines, view }: LinesProps & { level: string }) {
  const [number, date, message] = copy.columns;
  return (
    <table className="hidden w-full table-fixed text-left text-sm sm:table">
      <caption className="sr-only">{copy.groupTable(level)}</caption>
      <thead>
        <tr className="border-b text-2xs text-muted-foreground">
          <Head className="w-16">{number}</Head>
          <Head className="w-50">{date}</Head>
          <Head>{message}</Head>
        </tr>
      </thead>
      <tbody>
        {lines.map((line, index) => (
          <tr key={line.id} id={`row-${line.id}`} className="scroll-mt-16 even:bg-muted/50 hover:bg-muted">
            <Cell className="py-1.5">
              <LineLink id={line.id}>
                {index + 1}
                <span className="sr-only">. {copy.openLine(line.id)}</span>
              </LineLink>
            </Cell>
            <Cell className="py-1.5 text-muted-foreground">
              <LogTime at={line.at} date={line.date} className="text-xs leading-5" />
            </Cell>
            <Cell className="py-1.5">
              <Message line={line} view={view} anchor={`row-${line.id}`} />
            </Cell>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function SmallList({ lines, view }: LinesProps) {
  return (
    <ul className="sm:hidden">
      {lines.map((line) => (
        <li
          key={line.id}
          id={`line-${line.id}`}
          className="scroll-mt-16 border-b last:border-b-0 even:bg-muted/50"
        >
          <details className="group" open={line.id === view.whole}>
            <summary className="flex min-h-11 items-center gap-2 px-4 py-2 select-none">
              <ChevronRight
                aria-hidden
                className="-ml-1 size-4 shrink-0 text-muted-foreground transition-transform group-open:rotate-90"
              />
              <LogTime at={line.at} date={line.date} brief className="text-sm" />
              <span aria-hidden className="min-w-0 truncate text-xs text-muted-foreground group-open:hidden">
                {line.message}
              </span>
            </summary>
            <div className="flex flex-col items-start gap-2 px-4 pb-3">
              <Message line={line} view={view} anchor={`line-${line.id}`} />
              <LineLink id={line.id}>{copy.openLine(line.id)}</LineLink>
            </div>
          </details>
        </li>
      ))}
    </ul>
  );
}

function LineLink({ id, children }: { id: number; children: ReactNode }) {
  const { search } = useLocation();
  return (
    <Link
      to={paths.logLine(id, search.slice(1))}
      className="text-xs leading-5 text-primary tabular-nums underline-offset-4 hover:underline max-md:underline"
    >
      {children}
    </Link>
  );
}

type MessageProps = {
  line: LogGroup["lines"][number];
  view: LogsView;
  /** The fragment that leads to the line. */
  anchor: string;
};

/** Cuts a message at three lines (specification, section 2), with a link to the same page with all of it. */
function Message({ line: { id, message, isCut }, view: { values, past }, anchor }: MessageProps) {
  return (
    <div className="font-mono text-xs leading-5 wrap-anywhere">
      <bdi className={cn("block", isCut && "line-clamp-3")}>{message}</bdi>
      {isCut ? (
        <Link
          to={`${getLogsUrl(values, { past, whole: id })}#${anchor}`}
          preventScrollReset
          className="font-sans text-primary underline-offset-4 hover:underline max-md:underline"
        >
          {copy.showWhole}
        </Link>
      ) : null}
    </div>
  );
}

/** Says how many lines this page shows and how far the search went, and links to the other pages. */
export function OtherPages({ view }: { view: LogsView }) {
  const { values, groups, isOverview, past, next, lookedThrough, notShown } = view;
  if (isOverview) {
    return notShown.length === 0 ? null : (
      <p className="text-xs text-muted-foreground">{copy.moreLevels(notShown)}</p>
    );
  }
  const shown = groups.reduce((sum, { lines }) => sum + lines.length, 0);
  const stopped = next !== undefined && lookedThrough > 0 && values.q !== "";
  return (
    <div className="flex flex-wrap items-center gap-3">
      <p className="mr-auto text-xs text-muted-foreground tabular-nums">
        {copy.onPage(shown)}. {stopped ? copy.lookedThrough(lookedThrough) : null}
      </p>
      <PageLinks
        title={copy.pages}
        names={[copy.newest, stopped ? copy.goOn : copy.older]}
        newest={past === undefined ? undefined : getLogsUrl(values)}
        older={next === undefined ? undefined : getLogsUrl(values, { past: next })}
      />
    </div>
  );
}

function Head({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <th scope="col" className={cn("h-8 px-3 font-medium first:pl-4 last:pr-4", className)}>
      {children}
    </th>
  );
}

function Cell({ className, children }: { className?: string; children: ReactNode }) {
  return <td className={cn("px-3 py-2 align-top first:pl-4 last:pr-4", className)}>{children}</td>;
}
