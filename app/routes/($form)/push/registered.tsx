import { useEffect } from "react";
import { toasts } from "~/components/toast-queue";
import { Toaster } from "~/components/toaster";
import { readStored } from "~/lib/local-storage";
import type { PushSettings } from "~/services/push/push-sender";
import { AnalyticsNotice } from "./analytics-notice";
import { setUpPush } from "./set-up-push";
import { KEYS } from "./push-permission";

export { setUpPush };

/** Keeps a permitted browser registered, and shows messages that arrive while the page is visible. */
export function Registered({ settings }: { settings: PushSettings }) {
  useEffect(() => {
    const listening = new AbortController();
    const listen = ({ data, ports }: MessageEvent) => {
      const message = readMessage(data);
      if (!message) return;
      toasts.show({ kind: "custom", ...message, shown: "until-dismissed" });
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
      <Toaster placement="page" />
    </>
  );
}

/** Reads a message of our own worker, which alone can post here and has filled in the defaults. */
function readMessage(data: unknown): { title: string; text: string } | undefined {
  if (typeof data !== "object" || data === null || !("push" in data)) return undefined;
  const { title, body } = Object(data.push) as Record<string, unknown>;
  return { title: String(title), text: String(body) };
}
