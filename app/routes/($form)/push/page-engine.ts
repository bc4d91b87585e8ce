import type { PushSettings } from "~/services/push/push-sender";
import { webPushEngine, type PageEngine } from "./web-push-engine";

/** Firebase's part is fetched by those who have it and said yes. */
export async function pageEngine(settings: PushSettings): Promise<PageEngine> {
  if (settings.engine === "webpush") return webPushEngine(settings);
  return (await import("./fcm-engine.client")).fcmEngine(settings);
}
