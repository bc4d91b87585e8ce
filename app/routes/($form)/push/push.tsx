import { useEffect, useState, type ComponentType } from "react";
import type { PushSettings } from "~/lib/push-settings";
import { getPushPermission } from "~/components/push/push-permission";

type PushPart = ComponentType<{ settings: PushSettings }>;

const parts = {
  ask: async (): Promise<PushPart> => (await import("./prompt-card")).PromptCard,
  granted: async (): Promise<PushPart> => (await import("./registered")).Registered,
};

/** Push messages on the landing page: loads each part when it is needed and the browser is idle. */
export function Push({ settings }: { settings: PushSettings }) {
  const [Part, setPart] = useState<PushPart>();
  useEffect(() => {
    let isGone = false;
    const load = async () => {
      const permission = getPushPermission();
      if (permission === "none") return;
      const part = await parts[permission]();
      if (!isGone) setPart(() => part);
    };
    const cancel = whenIdle(() => void load().catch(reportError));
    return () => {
      isGone = true;
      cancel();
    };
  }, []);
  return Part ? <Part settings={settings} /> : null;
}

/** Safari has no requestIdleCallback. */
function whenIdle(act: () => void): () => void {
  if (!("requestIdleCallback" in window)) {
    const timer = setTimeout(act, 200);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(act, { timeout: 2000 });
  return () => cancelIdleCallback(handle);
}
