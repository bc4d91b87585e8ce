import { Form, Link, useNavigation } from "@remix-run/react";
import { Download, Pause, Play, Trash2 } from "~/components/icons";
import { Button, buttonVariants } from "~/components/ui/button";
import { cn } from "~/lib/class-names";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";
import { toSearch } from "~/http/list-state";
import { logsAt } from "./filter";
import type { LogsView } from "./logs-view.server";
import type { LiveLogs } from "./use-live-logs";

const copy = operatorMessages.logs;
const SECONDARY = buttonVariants({ variant: "secondary", size: "dense" });

/** What can be done with the whole log: watch it, take it away, delete it. */
export function HeaderActions({ view, live }: { view: LogsView; live: LiveLogs["state"] }) {
  const { values, total, past, groups } = view;
  const search = toSearch(values);
  const isOn = live === "on" || live === "away";
  return (
    <>
      {past === undefined ? (
        // A new history entry for each press would bury the page before this one.
        <Link
          to={logsAt(values, { live: isOn ? undefined : "on" })}
          replace
          preventScrollReset
          className={cn(SECONDARY, "noscript:hidden")}
        >
          {isOn ? <Pause aria-hidden /> : <Play aria-hidden />}
          {isOn ? copy.live.stop : copy.live.start}
        </Link>
      ) : null}
      {groups.length > 0 ? (
        // A document's own post: the answer is a file, and the page stays.
        <Form reloadDocument method="post" action={`${paths.logsExport}?${search}`}>
          <Button type="submit" variant="secondary" size="dense">
            <Download aria-hidden />
            {search ? copy.downloadThese : copy.downloadAll}
          </Button>
        </Form>
      ) : null}
      <DeleteAll view={view} isPossible={total > 0} />
    </>
  );
}

function DeleteAll({ view, isPossible }: { view: LogsView; isPossible: boolean }) {
  const isDeleting = useNavigation().formData?.get("intent") === "delete";
  const name = isDeleting ? (
    copy.deleting
  ) : (
    <>
      <span className="max-sm:hidden">{copy.deleteAll}</span>
      <span className="sm:hidden">{copy.deleteAllShort}</span>
    </>
  );
  if (!isPossible || isDeleting) {
    return (
      <Button variant="danger" size="dense" disabled>
        <Trash2 aria-hidden />
        {name}
      </Button>
    );
  }
  return (
    <Link
      to={logsAt(view.values, { step: "delete" })}
      preventScrollReset
      className={buttonVariants({ variant: "danger", size: "dense" })}
    >
      <Trash2 aria-hidden />
      {name}
    </Link>
  );
}
