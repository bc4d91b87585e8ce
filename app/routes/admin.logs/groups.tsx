import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { ChevronRight, CircleAlert, Info, Tag, TriangleAlert, type LucideIcon } from "~/components/icons";
import { Cell, Head } from "~/components/list-parts";
import { LogTime } from "~/components/log-time";
import { cn } from "~/lib/class-names";
import { operatorMessages } from "~/operator-messages";
import { paths } from "~/paths";
import { logsAt } from "./filter";
import type { LogGroup, LogsView } from "./logs-view.server";

const copy = operatorMessages.logs;

/** The colours the specification names, with a shape for those who see none. */
const LOOKS: Readonly<Record<string, { readonly header: string; readonly icon: LucideIcon }>> = {
  INFO: { header: "border-info/40 bg-info-surface text-info", icon: Info },
  WARN: { header: "border-warning/40 bg-warning-surface text-warning", icon: TriangleAlert },
  ERROR: { header: "border-danger/40 bg-danger-surface text-danger", icon: CircleAlert },
};
const UNKNOWN = { header: "bg-muted text-muted-foreground", icon: Tag };

/** The lines by their level: a table from md on, below it a list whose entries open. */
export function Groups({ view }: { view: LogsView }) {
  return view.groups.map((group) => <Group key={group.level} group={group} view={view} />);
}

function Group({ group, view: { values, isOverview } }: { group: LogGroup; view: LogsView }) {
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
          {isFound ? copy.found(count) : count.toLocaleString("en")}
        </p>
      </div>
      <WideTable level={level} lines={lines} />
      <SmallList lines={lines} />
      {isOverview && count > lines.length ? (
        <p className="flex flex-wrap gap-x-3 border-t px-4 py-2.5 text-xs text-muted-foreground">
          {copy.newestOf(lines.length)}
          <Link
            to={logsAt({ ...values, level })}
            className="font-medium text-primary underline-offset-4 hover:underline"
          >
            {copy.allOf(level, count)}
          </Link>
        </p>
      ) : null}
    </section>
  );
}

type Lines = Pick<LogGroup, "lines">;

function WideTable({ level, lines }: Lines & { level: string }) {
  const [number, date, message] = copy.columns;
  return (
    <table className="hidden w-full table-fixed text-left text-sm md:table">
      <caption className="sr-only">{copy.groupTable(level)}</caption>
      <thead>
        <tr className="border-b text-2xs text-muted-foreground">
          <Head className="w-16">{number}</Head>
          <Head className="w-50">{date}</Head>
          <Head>{message}</Head>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ id, at, message: text, isCut }, index) => (
          <tr key={id} className="even:bg-muted/50 hover:bg-muted">
            <Cell className="py-1.5">
              <LineLink id={id}>
                {index + 1}
                <span className="sr-only">. {copy.openLine(id)}</span>
              </LineLink>
            </Cell>
            <Cell className="py-1.5 text-muted-foreground">
              <LogTime at={at} className="text-xs leading-5" />
            </Cell>
            <Cell className="py-1.5">
              <Message text={text} isCut={isCut} className="line-clamp-3" />
            </Cell>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function SmallList({ lines }: Lines) {
  return (
    <ul className="md:hidden">
      {lines.map(({ id, at, message, isCut }) => (
        <li key={id} className="border-b last:border-b-0 even:bg-muted/50">
          <details className="group">
            <summary className="flex min-h-11 items-center gap-2 px-4 py-2 select-none">
              <ChevronRight
                aria-hidden
                className="-ml-1 size-4 shrink-0 text-muted-foreground transition-transform group-open:rotate-90"
              />
              <LogTime at={at} brief className="text-sm" />
              <span aria-hidden className="min-w-0 truncate text-xs text-muted-foreground group-open:hidden">
                {message}
              </span>
            </summary>
            <div className="flex flex-col items-start gap-2 px-4 pb-3">
              <Message text={message} isCut={isCut} />
              <LineLink id={id}>{copy.openLine(id)}</LineLink>
            </div>
          </details>
        </li>
      ))}
    </ul>
  );
}

function LineLink({ id, children }: { id: number; children: ReactNode }) {
  return (
    <Link
      to={paths.logLine(id)}
      className="text-xs leading-5 text-primary tabular-nums underline-offset-4 hover:underline max-md:underline"
    >
      {children}
    </Link>
  );
}

function Message({ text, isCut, className }: { text: string; isCut: boolean; className?: string }) {
  return (
    <div className={cn("font-mono text-xs leading-5 wrap-anywhere", className)}>
      <bdi>{text}</bdi>
      {isCut ? <span className="text-muted-foreground"> … {copy.cut}</span> : null}
    </div>
  );
}
