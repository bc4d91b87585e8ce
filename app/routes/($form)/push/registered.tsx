import { useEffect } from "react";
import { toasts } from "~/components/toast-queue";
import { Toaster } from "~/components/toaster";
import type { PushSettings } from "~/services/push/push-sender";
import { AnalyticsNotice } from "./analytics-notice";
import { setUpPush } from "./set-up-push";
import { KEYS, stored } from "./push-permission";

export { setUpPush };

/** Keeps a browser that takes push messages registered, and shows those that come while somebody looks at the page. */
export function Registered({ settings }: { settings: PushSettings }) {
  useEffect(() => {
    const listening = new AbortController();
    const listen = ({ data, ports }: MessageEvent) => {
      const message = readMessage(data);
      if (!message) return;
      toasts.show({ kind: "custom", ...message, shown: "until-dismissed" });
      // The worker waits for this before it shows the message itself.
      ports[0]?.postMessage("shown");
    };
    // From now on: of a browser that was registered before, a message may come while it is registered again.
    navigator.serviceWorker.addEventListener("message", listen, listening);
    setUpPush(settings).catch((error: unknown) => {
      // Without a registration nothing is listened to (specification, section 4).
      listening.abort();
      reportError(error);
    });
    return () => listening.abort();
  }, [settings]);

  const counts = settings.engine === "fcm" && settings.measurementId && stored(KEYS.analytics) === "yes";
  return (
    <>
      {counts ? <AnalyticsNotice settings={settings} /> : null}
      <Toaster placement="page" />
    </>
  );
}

/** Only our own worker can post here, and it has filled in the defaults. */
function readMessage(data: unknown): { title: string; text: string } | undefined {
  if (typeof data !== "object" || data === null || !("push" in data)) return undefined;
  const { title, body } = Object(data.push) as Record<string, unknown>;
  return { title: String(title), text: String(body) };
}
