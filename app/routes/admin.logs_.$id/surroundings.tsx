import { Link } from "@remix-run/react";
import { LogTime } from "~/components/log-time";
import { Badge, type BadgeProps } from "~/components/ui/badge";
import { Card, CardTitle } from "~/components/ui/card";
import { cn } from "~/lib/class-names";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";

const copy = operatorMessages.logs.line;
const BADGES: Readonly<Record<string, BadgeProps["variant"]>> = {
  INFO: "info",
  WARN: "warning",
  ERROR: "danger",
};

interface Line {
  id: number;
  at?: number | undefined;
  date: string;
  level: string;
  message: string;
}

/** What was logged before and after a line, oldest first; each leads to its own page. */
export function Surroundings({ id, from, lines }: { id: number; from: string; lines: readonly Line[] }) {
  return (
    <Card className="overflow-hidden">
      <CardTitle className="border-b px-4 py-3">{copy.around}</CardTitle>
      <ol className="divide-y">
        {lines.map((line) => (
          <li
            key={line.id}
            aria-current={line.id === id ? "true" : undefined}
            className={cn(
              "relative grid grid-cols-[5rem_minmax(0,1fr)] items-baseline gap-x-4 gap-y-0.5 px-4 py-1.5 hover:bg-muted/60 md:grid-cols-[5rem_12rem_minmax(0,1fr)]",
              line.id === id && "bg-primary-surface hover:bg-primary-surface",
            )}
          >
            <Badge variant={BADGES[line.level] ?? "neutral"} className="w-fit max-w-full truncate">
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
