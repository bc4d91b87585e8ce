import { useEffect, useRef, useState } from "react";
import { Button } from "~/components/ui/button";
import { pushMessages } from "~/content/push-messages";
import { readStored, writeStored } from "~/lib/local-storage";
import type { FcmSettings } from "~/lib/push-settings";
import { KEYS } from "~/components/push/push-permission";

const copy = pushMessages.analytics;

/** Counts the page views of a visitor who consented, says so at the end of the page, and stops on request. */
export function AnalyticsNotice({ settings }: { settings: FcmSettings }) {
  const [isStopped, setIsStopped] = useState(false);
  const stop = useRef<() => void>(() => undefined);

  function stopCounting() {
    stop.current();
    setIsStopped(true);
  }

  useEffect(() => {
    const listening = new AbortController();
    // The consent may be withdrawn in another tab.
    const listen = () => readStored(KEYS.analytics) !== "yes" && stopCounting();
    window.addEventListener("storage", listen, listening);
    import("./analytics.client")
      .then(({ startAnalytics }) => {
        // The consent may have been withdrawn before the script arrived.
        if (readStored(KEYS.analytics) === "yes") stop.current = startAnalytics(settings);
      })
      .catch(reportError);
    return () => {
      listening.abort();
      stop.current();
    };
  }, [settings]);

  function withdrawConsent() {
    writeStored(KEYS.analytics, null);
    stopCounting();
  }

  return (
    <aside
      aria-label={copy.title}
      className="flex flex-wrap items-center gap-3 border-t px-6 py-4 text-sm text-muted-foreground sm:px-8 lg:px-12"
    >
      <p role="status">{isStopped ? copy.stopped : copy.counting}</p>
      {isStopped ? null : (
        <Button type="button" variant="outline" onClick={withdrawConsent}>
          {copy.stop}
        </Button>
      )}
    </aside>
  );
}
