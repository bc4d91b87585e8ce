import { useFetcher, useLocation } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { toSearch } from "~/http/list-state";
import { minutes, seconds } from "~/lib/durations";
import { paths } from "~/paths";
import type { clientLoader } from "~/routes/admin.logs_.newest/route";
import type { LogsView } from "./logs-view.server";

const ASKS_EVERY_MS = seconds(2);
/** Then it stops by itself: a page that is left open must not keep its session alive for ever. */
const LASTS_MS = minutes(15);

export interface LiveLogs {
  readonly view: LogsView;
  /** "away": the server did not answer the last time. "over": it has stopped by itself. */
  readonly state: "off" | "on" | "away" | "over";
}

/**
 * The page's view, asked for again and again while it is live and looked at. It asks instead of being sent what is new: an
 * answer of a few milliseconds every two seconds holds no connection open, so that nothing has to be freed when a reader
 * leaves or the server drains (hardening R19, R20).
 */
export function useLiveLogs(loaded: LogsView, search: string): LiveLogs {
  const { load, state, data } = useFetcher<typeof clientLoader>({ key: `logs-newest?${search}` });
  const { isLive } = loaded;
  /** Each press on Live is a page of its own. */
  const { key } = useLocation();
  const [overOn, setOverOn] = useState<string>();
  const began = useRef(0);
  /** The newest that came: it stays while the server is away. */
  const [newest, setNewest] = useState<LogsView>();
  if (data?.view && data.view !== newest) setNewest(data.view);
  const asks = isLive && overOn !== key;

  useEffect(() => {
    began.current = performance.now();
  }, [key]);
  useEffect(() => {
    if (!asks || state !== "idle") return;
    const timer = setInterval(() => {
      if (performance.now() - began.current > LASTS_MS) setOverOn(key);
      else if (!document.hidden) load(`${paths.logsNewest}?${search}`);
    }, ASKS_EVERY_MS);
    return () => clearInterval(timer);
  }, [asks, key, load, search, state]);

  if (!isLive) return { view: loaded, state: "off" };
  const isNewer = newest !== undefined && newest.now > loaded.now && toSearch(newest.values) === search;
  const view = isNewer ? { ...newest, asksToDelete: loaded.asksToDelete, isLive } : loaded;
  return { view, state: !asks ? "over" : data?.isAway ? "away" : "on" };
}
