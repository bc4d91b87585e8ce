import { useEffect } from "react";
import { ToastAction } from "~/components/ui/toast";
import { Toaster } from "~/components/ui/toaster";
import { toast } from "~/components/use-toast";
import { readStored } from "~/lib/local-storage";
import type { PushSettings } from "~/lib/push-settings";
import { AnalyticsNotice } from "./analytics-notice";
import { setUpPush } from "~/components/push/set-up-push";
import { KEYS } from "~/components/push/push-permission";

// For the prompt, which loads both by one import.
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
      // Without this reply within a second the worker shows the message itself.
      ports[0]?.postMessage("shown");
    };
    // Listens from the start: a browser that was registered before may get a message while it registers again.
    navigator.serviceWorker.addEventListener("message", listen, listening);
    setUpPush(settings).catch((error: unknown) => {
      // Messages are not shown by the page when the set-up failed (specification, section 4), but by the worker.
      listening.abort();
      reportError(error);
    });
    return () => listening.abort();
  }, [settings]);

  const isCounted =
    settings.engine === "fcm" && settings.measurementId && readStored(KEYS.analytics) === "yes";
  return (
    <>
      {isCounted ? <AnalyticsNotice settings={settings} /> : null}
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
