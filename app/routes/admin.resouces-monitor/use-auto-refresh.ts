import { useNavigation, useRevalidator } from "@remix-run/react";
import { useEffect } from "react";
import { seconds } from "~/lib/durations";

/** The specification's interval (section 9). */
export const REFRESH_SECONDS = 30;

/** Reloads the data every 30 seconds while nothing else is loading; a hidden tab when it is shown again. */
export function useAutoRefresh(): void {
  const { revalidate, state } = useRevalidator();
  const isIdle = useNavigation().state === "idle" && state === "idle";
  useEffect(() => {
    if (!isIdle) return;
    let isDue = false;
    const refresh = () => {
      if (isDue && document.visibilityState === "visible") void revalidate();
    };
    const timer = setTimeout(() => {
      isDue = true;
      refresh();
    }, seconds(REFRESH_SECONDS));
    document.addEventListener("visibilitychange", refresh);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", refresh);
    };
  }, [isIdle, revalidate]);
}
