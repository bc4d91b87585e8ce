import { Form, useNavigation } from "@remix-run/react";
import { Download, Pause, Play, Trash2 } from "~/components/icons";
import { Timestamp } from "~/components/timestamp";
import { Button, ButtonLink } from "~/components/ui/button";
import { logsMessages as copy } from "~/content/logs";
import { platformMessages } from "~/content/platform";
import { toSearch } from "~/http/list-state";
import { paths } from "~/paths";
import { getLogsUrl } from "./filter";
import type { LogsView } from "./logs-view.server";
import type { LiveLogs } from "./use-live-logs";

/** Shows the number of lines, the time of the newest one, what is left out, and the state of the live view. */
export function State({ view, live }: { view: LogsView; live: LiveLogs["state"] }) {
  const { total, ignored, outOfReach, groups, past, now } = view;
  const newest = Math.max(0, ...groups.flatMap(({ lines }) => lines.map(({ at }) => at ?? 0)));
  return (
    <>
      {view.isPlatforms ? `${platformMessages.logs.origin} ` : null}
      {copy.state(total)}{" "}
      {view.isOverview && past === undefined && newest > 0 ? (
        <>
          {copy.newestLine} <Timestamp at={newest} now={now} />.{" "}
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

/** Actions on the whole log: watch, export, delete. */
export function HeaderActions({ view, live }: { view: LogsView; live: LiveLogs["state"] }) {
  const { values, past, groups } = view;
  const search = toSearch(values);
  const isOn = live === "on" || live === "away";
  return (
    <>
      {past === undefined ? (
        // Replaces the history entry: one for each press would bury the previous page.
        <ButtonLink
          to={getLogsUrl(values, { live: isOn ? undefined : "on" })}
          replace
          preventScrollReset
          className="noscript:hidden"
        >
          {isOn ? <Pause aria-hidden /> : <Play aria-hidden />}
          {isOn ? copy.live.stop : copy.live.start}
        </ButtonLink>
      ) : null}
      {groups.length > 0 ? (
        // Posts as a document: the response is a file, and the page stays.
        <Form reloadDocument method="post" action={`${paths.logsExport}?${search}`}>
          <Button type="submit" variant="secondary" size="dense">
            <Download aria-hidden />
            {search ? copy.downloadThese : copy.downloadAll}
          </Button>
        </Form>
      ) : null}
      <DeleteAll view={view} />
    </>
  );
}

function DeleteAll({ view: { values, total } }: { view: LogsView }) {
  const isDeleting = useNavigation().formData?.get("intent") === "delete";
  const name = (
    <>
      <Trash2 aria-hidden />
      <span className="max-sm:hidden">{isDeleting ? copy.deleting : copy.deleteAll}</span>
      <span className="sm:hidden">{isDeleting ? copy.deleting : copy.deleteAllShort}</span>
    </>
  );
  return total > 0 && !isDeleting ? (
    <ButtonLink to={getLogsUrl(values, { step: "delete" })} preventScrollReset variant="danger">
      {name}
    </ButtonLink>
  ) : (
    <Button variant="danger" size="dense" disabled>
      {name}
    </Button>
  );
}
