// Read as text and served after `const settings = ...` (route.ts). It shows push messages and does nothing
// else: no page is in its scope, and it responds to no request.

/** Time in which a page confirms that it shows a message itself. */
const CONFIRM_MS = 1000;

self.addEventListener("push", (event) => event.waitUntil(deliver(read(event.data))));

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.link));
});

/**
 * Reads our own message format, or FCM's: there the tag is in the notification, and the link is in the data,
 * in an option or in the notification's click action (messages written in Firebase's console). An unreadable
 * message is shown with defaults, because browsers penalize a worker that receives a message and shows
 * nothing.
 */
function read(data) {
  let message;
  try {
    message = Object(data.json());
  } catch {
    message = {};
  }
  const { title, body, tag, click_action: action } = message.notification ?? {};
  const found = message.link ?? message.data?.link ?? message.fcmOptions?.link ?? action;
  const target = found ?? settings.landing;
  const { origin } = self.location;
  const link = new URL(URL.canParse(target, origin) ? target : settings.landing, origin);
  return {
    title: title || settings.title,
    body: body || settings.body,
    tag: message.tag ?? tag ?? "",
    link: link.origin === origin ? link.href : origin + settings.landing,
  };
}

async function deliver({ title, body, tag, link }) {
  if (await isShownByPage({ title, body, link })) return;
  await self.registration.showNotification(title, { body, tag, icon: settings.icon, data: { link } });
}

/** Returns whether a visible page of ours shows the message. */
async function isShownByPage(message) {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const visible = pages.filter((page) => page.visibilityState === "visible");
  if (visible.length === 0) return false;
  return new Promise((resolve) => {
    for (const page of visible) {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve(true);
      page.postMessage({ push: message }, [port2]);
    }
    setTimeout(resolve, CONFIRM_MS, false);
  });
}

async function open(link) {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const existing = pages.find((page) => page.url === link);
  return existing ? existing.focus() : self.clients.openWindow(link);
}
