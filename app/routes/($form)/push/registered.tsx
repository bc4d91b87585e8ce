import { useEffect } from "react";
import { ToastAction } from "~/components/ui/toast";
import { Toaster } from "~/components/ui/toaster";
import { toast } from "~/components/use-toast";
import { readStored } from "~/lib/local-storage";
import type { PushSettings } from "~/lib/push-settings";
import { AnalyticsNotice } from "./analytics-notice";
import { setUpPush } from "~/components/push/set-up-push";
import { KEYS } from "~/components/push/push-permission";

export { setUpPush };

/** Keeps a permitted browser registered, and shows messages that arrive while the page is visible. */
export function Registered({ settings }: { settings: PushSettings }) {
  useEffect(() => {
    const listening = new AbortController();
    const listen = ({ data, ports }: MessageEvent) => {
      const message = readMessage(data);
      if (!message) return;
      toast({
        ...message,
        duration: Infinity,
        action: <ToastAction altText="Dismiss">Dismiss</ToastAction>,
      });
      // The worker waits for this reply before it shows the message itself.
      ports[0]?.postMessage("shown");
    };
    // Listens from the start: a browser that was registered before may get a message while it registers again.
    navigator.serviceWorker.addEventListener("message", listen, listening);
    setUpPush(settings).catch((error: unknown) => {
      // Without a registration there is nothing to listen to (specification, section 4).
      listening.abort();
      reportError(error);
    });
    return () => listening.abort();
  }, [settings]);

  const counts = settings.engine === "fcm" && settings.measurementId && readStored(KEYS.analytics) === "yes";
  return (
    <>
      {counts ? <AnalyticsNotice settings={settings} /> : null}
      <Toaster />
    </>
  );
}

/** Reads a message of our own worker, which alone can post here and has filled in the defaults. */
function readMessage(data: unknown): { title: string; description: string } | undefined {
  if (typeof data !== "object" || data === null || !("push" in data)) return undefined;
  const { title, body } = Object(data.push) as Record<string, unknown>;
  return { title: String(title), description: String(body) };
}
