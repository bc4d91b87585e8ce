import type { ReactNode } from "react";
import { RowLink } from "~/components/list-detail";
import { ListLink } from "~/components/text-link";
import { logsMessages as copy } from "~/content/logs";
import { getLogsUrl } from "~/http/lists/logs-list";
import type { LogsView, ShownLine } from "~/http/logs-view.server";
import { cn } from "~/lib/utils";
import { paths } from "~/paths";

type LineLinkProps = {
  id: number;
  /** For screen readers, instead of the text. */
  label?: string;
  children: ReactNode;
};

/** Leads to the line's page. */
export function LineLink({ id, label, children }: LineLinkProps) {
  return (
    <RowLink to={paths.logLine(id)} aria-label={label} className="tabular-nums">
      {children}
    </RowLink>
  );
}

type MessageProps = {
  line: ShownLine;
  view: LogsView;
  /** The fragment that leads to the line. */
  anchor: string;
  /** Of the link, such as where it is hidden. */
  linkClassName?: string;
};

/** Cuts a message at three lines (specification, section 2), with a link to the same page with all of it. */
export function Message({ line, view: { values, place }, anchor, linkClassName }: MessageProps) {
  const { id, message, isCut } = line;
  if (!isCut) return <bdi>{message}</bdi>;
  return (
    <>
      <bdi className="line-clamp-3">{message}</bdi>
      <ListLink
        to={`${getLogsUrl(values, { ...place, whole: id })}#${anchor}`}
        preventScrollReset
        className={cn("font-sans beside:hidden", linkClassName)}
      >
        {copy.showWhole}
      </ListLink>
    </>
  );
}
