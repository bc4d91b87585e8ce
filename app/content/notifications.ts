import { formatCount, grouped } from "~/lib/format-number";

const devices = (count: number) => formatCount(count, "device");

/** Texts of broadcasts: the specification's sentences (sections 2 and 8), word for word, and our own. */
export const notificationMessages = {
  title: "Send Broadcast Notification",
  state: (all: number) =>
    all === 0
      ? "No devices yet. They appear when visitors allow notifications on the landing page."
      : `${devices(all)} ${all === 1 ? "receives" : "receive"} notifications.`,
  audiences: {
    all: "All Users (both apps)",
    landing: "Landing-page subscribers",
    application: "Application users",
  },
  size: devices,
  companyName: (name: string, domain: string) => (domain ? `${name} (${domain})` : name),
  linkHint:
    "Opened by a click: a page of this site, such as /early-access. Leave empty for the landing page.",
  bytes: (used: number, max: number) => `${grouped(used)} of ${grouped(max)} bytes`,
  tooLong: (over: number) =>
    `Together this is ${grouped(over)} bytes too long for a push service. Please shorten the message.`,
  send: "Send Notification",
  sending: "Sending...",
  confirm: (count: number, audience: string) => `It goes to ${devices(count)}: ${audience}.`,
  success: (sent: number, failed: number) =>
    `Successfully sent to ${grouped(sent)} devices${failed > 0 ? ` (${grouped(failed)} failed)` : ""}`,
  nobodyReached: (failed: number) =>
    failed > 0
      ? `Sent to no device (${grouped(failed)} failed)`
      : "Sent to no device: all of them were skipped",
  failure: (reason: string) => `Failed to send broadcast notification: ${reason}`,
  failed: "Failed to send notification",
  progress: (done: number, all: number) => `Sending: ${grouped(done)} of ${devices(all)} done`,
  preparing: (prepared: number) => `Preparing the list of devices: ${grouped(prepared)} so far`,
  page: {
    cancel: "Cancel this notification",
    cancelQuestion: (waiting: number) =>
      `${devices(waiting)} will not get it. Notifications already sent cannot be recalled.`,
    unauthorized:
      "The push service does not accept our keys. No devices were removed. Fix the keys, then try again: refused devices are retried.",
    message:
      "The push service rejects this message, even for devices that accepted others before. No devices were removed. Cancel it and write another one, or fix what the push service says and try again.",
    refusals:
      "More than 20 of the first 100 devices that accepted notifications before are gone or were refused, so the problem is more likely on our side. No devices were removed. Fix what the push service says, then try again.",
  },
} as const;
