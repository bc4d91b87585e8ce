import { useRevalidator } from "@remix-run/react";
import { useEffect } from "react";
import { seconds } from "~/lib/durations";

type AutoRefreshProps = {
  /** Seconds between refreshes. At least 2 without JavaScript, because the whole page is loaded each time. */
  everySeconds: number;
  /** The URL that a browser without JavaScript loads: this page's by default; one with an anchor must vary. */
  at?: string;
  /** A value that changes with each refresh and starts the next wait. */
  version: unknown;
};

/** Refreshes the page's data repeatedly for as long as it is rendered, to show the progress of background work. */
export function AutoRefresh({ everySeconds, at, version }: AutoRefreshProps) {
  const { revalidate, state } = useRevalidator();
  useEffect(() => {
    if (state !== "idle") return;
    const timer = setTimeout(revalidate, seconds(everySeconds));
    return () => clearTimeout(timer);
  }, [state, revalidate, version, everySeconds]);
  return (
    <noscript>
      <meta httpEquiv="refresh" content={`${Math.max(2, everySeconds)}${at ? `;url=${at}` : ""}`} />
    </noscript>
  );
}
