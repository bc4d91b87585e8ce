import { seconds } from "~/lib/durations";
import { paths } from "~/paths";
import { pushMessages } from "~/content/push-messages";

/** Specification, section 9. */
const READY_MS = seconds(10);

/** @throws when the worker is not ready within ten seconds. */
export async function registerPushWorker(): Promise<ServiceWorkerRegistration> {
  const registration = await navigator.serviceWorker.register(paths.pushWorker, { scope: paths.pushScope });
  if (registration.active) return registration;
  const worker = registration.installing ?? registration.waiting;
  await new Promise<void>((resolve, reject) => {
    const fail = () => reject(new Error(pushMessages.internal.workerNotReady));
    const timer = setTimeout(fail, READY_MS);
    const look = () => {
      if (worker?.state !== "activated" && worker?.state !== "redundant") return;
      clearTimeout(timer);
      if (worker.state === "activated") resolve();
      else fail();
    };
    worker?.addEventListener("statechange", look);
    look();
  });
  return registration;
}
