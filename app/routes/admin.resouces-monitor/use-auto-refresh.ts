import { useNavigation, useRevalidator } from "@remix-run/react";
import { useEffect } from "react";
import { seconds } from "~/lib/durations";

/** The specification's interval (section 9). */
export const REFRESH_SECONDS = 30;

/** Fetches the page's data again every 30 seconds, while somebody looks and nothing else is under way. */
export function useAutoRefresh(): void {
  const { revalidate, state } = useRevalidator();
  const isIdle = useNavigation().state === "idle" && state === "idle";
  useEffect(() => {
    if (!isIdle) return;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") void revalidate();
    }, seconds(REFRESH_SECONDS));
    return () => clearInterval(timer);
  }, [isIdle, revalidate]);
}
