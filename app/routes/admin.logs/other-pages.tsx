import { PageLinks } from "~/components/page-links";
import { logsMessages as copy } from "~/content/logs";
import { getLogsUrl } from "~/http/lists/logs-list";
import type { LogsView } from "~/http/logs-view.server";

/** Says how many lines this page shows and how far the search went, and links to the other pages. */
export function OtherPages({ view }: { view: LogsView }) {
  const { values, groups, lines, isOverview, isFirst, previous, next, lookedThrough, notShown } = view;
  if (isOverview) {
    return notShown.length === 0 ? null : (
      <p className="text-xs text-muted-foreground">{copy.moreLevels(notShown)}</p>
    );
  }
  const shown = groups.reduce((sum, group) => sum + group.lines.length, lines.length);
  // Lines were searched one by one, for words or times: the page may end before it is full, with more to search.
  const isScan = next !== undefined && lookedThrough > 0;
  return (
    <div className="flex flex-wrap items-center gap-3">
      <p className="mr-auto text-xs text-muted-foreground tabular-nums">
        {copy.onPage(shown)}. {isScan ? copy.lookedThrough(lookedThrough) : null}
      </p>
      <PageLinks
        title={copy.pages}
        newestNoun={copy.lines}
        nextName={isScan ? copy.goOn : undefined}
        first={isFirst ? undefined : getLogsUrl(values)}
        previous={previous && getLogsUrl(values, previous)}
        next={next && getLogsUrl(values, next)}
      />
    </div>
  );
}
