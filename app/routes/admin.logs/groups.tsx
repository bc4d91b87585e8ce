import { Link, useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { CircleAlert, Info, type LucideIcon, Tag, TriangleAlert } from "lucide-react";
import { LogTime } from "~/components/log-time";
import { PageLinks } from "~/components/page-links";
import { logsMessages as copy } from "~/content/logs";
import { cn } from "~/lib/utils";
import { grouped } from "~/lib/format-number";
import { paths } from "~/paths";
import { getLogsUrl } from "./filter";
import type { LogGroup, LogsView } from "./logs-view.server";

/** More characters than a line of a phone holds. */
const PREVIEW_LENGTH = 50;

/** Colours of the specification, each with an icon for people who cannot tell them apart. */
const LOOKS: Readonly<Record<string, { readonly header: string; readonly icon: LucideIcon }>> = {
  INFO: { header: "border-info/40 bg-info-surface text-info", icon: Info },
  WARN: { header: "border-warning/40 bg-warning-surface text-warning", icon: TriangleAlert },
  ERROR: { header: "border-destructive/40 bg-destructive-surface text-destructive", icon: CircleAlert },
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
    <section aria-labelledby={`level-${level}`} className="overflow-hidden rounded-lg border bg-card">
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
    <table className="log-table hidden sm:table">
      <caption className="sr-only">{copy.groupTable(level)}</caption>
      <thead>
        <tr>
          <th scope="col" className="w-16">
            {number}
          </th>
          <th scope="col" className="w-50">
            {date}
          </th>
          <th scope="col">{message}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line, index) => (
          <tr key={line.id} id={line.id === view.whole ? `row-${line.id}` : undefined}>
            <td>
              <LineLink id={line.id} label={`${index + 1}. ${copy.openLine(line.id)}`}>
                {index + 1}
              </LineLink>
            </td>
            <td>
              <LogTime at={line.at} date={line.date} />
            </td>
            <td>
              <Message line={line} view={view} anchor={`row-${line.id}`} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function SmallList({ lines, view }: LinesProps) {
  return (
    <ul className="log-list sm:hidden">
      {lines.map((line) => (
        <li key={line.id} id={line.id === view.whole ? `line-${line.id}` : undefined}>
          <details open={line.id === view.whole}>
            <summary>
              <LogTime at={line.at} date={line.date} brief />
              <span aria-hidden>{line.message.slice(0, PREVIEW_LENGTH).toWellFormed()}</span>
            </summary>
            <div>
              <Message line={line} view={view} anchor={`line-${line.id}`} />
              <LineLink id={line.id}>{copy.openLine(line.id)}</LineLink>
            </div>
          </details>
        </li>
      ))}
    </ul>
  );
}

type LineLinkProps = {
  id: number;
  /** For screen readers, instead of the text. */
  label?: string;
  children: ReactNode;
};

function LineLink({ id, label, children }: LineLinkProps) {
  const { search } = useLocation();
  return (
    <Link to={paths.logLine(id, search.slice(1))} aria-label={label}>
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
  if (!isCut) return <bdi>{message}</bdi>;
  return (
    <div>
      <bdi className="line-clamp-3">{message}</bdi>
      <Link
        to={`${getLogsUrl(values, { past, whole: id })}#${anchor}`}
        preventScrollReset
        className="font-sans"
      >
        {copy.showWhole}
      </Link>
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
