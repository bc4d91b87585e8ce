import { PageLinks } from "~/components/page-links";
import { operatorMessages } from "~/content/operator-messages";
import { logsAt } from "./filter";
import type { LogsView } from "./logs-view.server";

const copy = operatorMessages.logs;

/** How many lines this page shows, how far it looked for them, and the way to the others. */
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
        newest={past === undefined ? undefined : logsAt(values)}
        older={next === undefined ? undefined : logsAt(values, { past: next })}
      />
    </div>
  );
}
