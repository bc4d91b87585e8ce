import { useRevalidator } from "@remix-run/react";
import { useEffect } from "react";
import { seconds } from "~/lib/durations";

type AutoRefreshProps = {
  /** How long to wait after each look; two or more without JavaScript, for the whole page is loaded. */
  everySeconds: number;
  /** Where a browser without JavaScript looks; its own address when left out. A new one each time when it has an anchor. */
  at?: string;
  /** Changes with each look. */
  seen: unknown;
};

/** Shows how something goes on: the page looks again by itself for as long as this stands in it. */
export function AutoRefresh({ everySeconds, at, seen }: AutoRefreshProps) {
  const { revalidate, state } = useRevalidator();
  useEffect(() => {
    if (state !== "idle") return;
    const timer = setTimeout(revalidate, seconds(everySeconds));
    return () => clearTimeout(timer);
  }, [state, revalidate, seen, everySeconds]);
  return (
    <noscript>
      <meta httpEquiv="refresh" content={`${Math.max(2, everySeconds)}${at ? `;url=${at}` : ""}`} />
    </noscript>
  );
}
