import { useActionData, useNavigation, useRevalidator } from "@remix-run/react";
import { useEffect } from "react";
import { toUnanswered } from "~/components/keep-form";
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
  /** True where a browser without JavaScript must not load the page again: that empties a form. */
  needsScript?: boolean;
};

/**
 * Refreshes the page's data repeatedly for as long as it is rendered, while nothing else is loading. Not while a form is
 * answered: React Router drops the answer when it loads the data again.
 */
export function AutoRefresh({
  everySeconds,
  at,
  version,
  waitsWhileHidden = false,
  needsScript = false,
}: AutoRefreshProps) {
  const { revalidate, state } = useRevalidator();
  const isIdle = useNavigation().state === "idle" && state === "idle";
  const answer = useActionData();
  const isAnswered = answer !== undefined && !toUnanswered(answer);
  useEffect(() => {
    if (!isIdle || isAnswered) return;
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
  }, [isIdle, isAnswered, revalidate, version, everySeconds, waitsWhileHidden]);
  if (needsScript) return null;
  return (
    <noscript>
      <meta httpEquiv="refresh" content={`${Math.max(2, everySeconds)}${at ? `;url=${at}` : ""}`} />
    </noscript>
  );
}
