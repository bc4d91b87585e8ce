import { useFetcher, useLocation } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { connection, useConnection } from "~/components/connection";
import { toSearch } from "~/http/list-state";
import type { LogsView, NewestLogs } from "~/http/logs-view.server";
import { minutes, seconds } from "~/lib/durations";
import { paths } from "~/paths";

const POLL_INTERVAL_MS = seconds(2);
/** Live view stops after this: an open page must not keep its session alive forever. */
const LIVE_LIMIT_MS = minutes(15);

export interface LiveLogs {
  readonly view: LogsView;
  /** "away": nothing new comes, because the server cannot be reached or fails. "over": stopped after LIVE_LIMIT_MS. */
  readonly state: "off" | "on" | "away" | "over";
}

/**
 * Polls the page's view while it is live and visible. Polling instead of a stream: a response of a few
 * milliseconds every two seconds holds no connection open, so nothing has to be released when a reader leaves
 * or the server drains (hardening R19, R20).
 */
export function useLiveLogs(loaded: LogsView, search: string): LiveLogs {
  const { load, state, data } = useFetcher<NewestLogs>({ key: `logs-newest?${search}` });
  const { isLive } = loaded;
  const { lostSince } = useConnection();
  /** Whether the last poll was skipped because the server could not be reached. */
  const [isSkipped, setSkipped] = useState(false);
  /** Each press on Live is a new location, which restarts the time limit; `expiredKey` is the one whose limit is over. */
  const { key } = useLocation();
  const [expiredKey, setExpiredKey] = useState<string>();
  const began = useRef(0);
  /** The last view that came; it stays while the server is unavailable. */
  const [lastView, setLastView] = useState<LogsView>();
  const newest = data?.view ?? lastView;
  if (newest !== lastView) setLastView(newest);
  const isPolling = isLive && expiredKey !== key;

  useEffect(() => {
    began.current = performance.now();
  }, [key]);
  useEffect(() => {
    if (!isPolling || state !== "idle") return;
    const timer = setInterval(() => {
      // Not tried while the server cannot be reached: a first request fetches the route's module too, and a failure of that
      // would reload the document.
      const isLost = connection.isLost();
      setSkipped(isLost);
      if (performance.now() - began.current > LIVE_LIMIT_MS) setExpiredKey(key);
      else if (!document.hidden && !isLost) load(`${paths.logsNewest}?${search}`);
    }, POLL_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [isPolling, key, load, search, state]);

  if (!isLive) return { view: loaded, state: "off" };
  const isNewer = newest !== undefined && newest.now > loaded.now && toSearch(newest.values) === search;
  const view = isNewer ? { ...newest, confirmsDeletion: loaded.confirmsDeletion, isLive } : loaded;
  const isAway = (data && data.view === undefined) || lostSince !== undefined || isSkipped;
  return { view, state: !isPolling ? "over" : isAway ? "away" : "on" };
}
