import { Timestamp } from "~/components/timestamp";
import { operatorMessages } from "~/content/operator-messages";
import type { LogsView } from "./logs-view.server";
import type { LiveLogs } from "./use-live-logs";

const copy = operatorMessages.logs;

/** How much is kept, since when nothing came, what is left out, and whether the page is live. */
export function State({ view, live }: { view: LogsView; live: LiveLogs["state"] }) {
  const { total, ignored, outOfReach, groups, past, now } = view;
  const newest = Math.max(0, ...groups.flatMap(({ lines }) => lines.map(({ at }) => at ?? 0)));
  return (
    <>
      {view.isPlatforms ? `${operatorMessages.platform.logs.whose} ` : null}
      {copy.state(total)}{" "}
      {view.isOverview && past === undefined && newest > 0 ? (
        <>
          {copy.newestCame} <Timestamp at={newest} now={now} />.{" "}
        </>
      ) : null}
      {ignored > 0 ? `${copy.ignored(ignored)} ` : null}
      {outOfReach > 0 ? `${copy.outOfReach(outOfReach)} ` : null}
      {live === "off" ? null : (
        <span className="font-medium text-foreground" role="status">
          {copy.live[live]}
        </span>
      )}
    </>
  );
}
