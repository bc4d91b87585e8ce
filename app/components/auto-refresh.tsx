import { useNavigation, useRevalidator } from "@remix-run/react";
import { useEffect } from "react";
import { seconds } from "~/lib/durations";

type AutoRefreshProps = {
  /** Seconds between refreshes. At least 2 without JavaScript, because the whole page is loaded each time. */
  everySeconds: number;
  /** The URL that a browser without JavaScript loads: this page's by default; one with an anchor must vary. */
  at?: string;
  /** A value that changes with each refresh and starts the next wait. */
  version: unknown;
  /** True when a hidden tab refreshes only once it is shown again. */
  waitsWhileHidden?: boolean;
};

/** Refreshes the page's data repeatedly for as long as it is rendered, while nothing else is loading. */
export function AutoRefresh({ everySeconds, at, version, waitsWhileHidden = false }: AutoRefreshProps) {
  const { revalidate, state } = useRevalidator();
  const isIdle = useNavigation().state === "idle" && state === "idle";
  useEffect(() => {
    if (!isIdle) return;
    let isDue = false;
    const refresh = () => {
      if (isDue && !(waitsWhileHidden && document.visibilityState === "hidden")) revalidate();
    };
    const timer = setTimeout(() => {
      isDue = true;
      refresh();
    }, seconds(everySeconds));
    document.addEventListener("visibilitychange", refresh);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", refresh);
    };
  }, [isIdle, revalidate, version, everySeconds, waitsWhileHidden]);
  return (
    <noscript>
      <meta httpEquiv="refresh" content={`${Math.max(2, everySeconds)}${at ? `;url=${at}` : ""}`} />
    </noscript>
  );
}
