import { formatCount, grouped } from "~/lib/format-number";
import { PUSH_PROMISE } from "./push-messages";

const devices = (count: number) => formatCount(count, "device");
const notificationFailed = "Failed to send notification";

/** Texts of broadcasts: the specification's sentences (sections 2 and 8), word for word, and our own. */
export const notificationMessages = {
  title: "Send Broadcast Notification",
  state: (all: number) =>
    all === 0
      ? "No devices yet. They appear when visitors allow notifications on the landing page."
      : `${devices(all)} ${all === 1 ? "receives" : "receive"} notifications.`,
  form: "Write a notification",
  audience: "Audience",
  audiences: {
    all: "All Users (both apps)",
    landing: "Landing-page subscribers",
    application: "Application users",
  },
  size: devices,
  company: "Select Company (Optional)",
  allCompanies: "All Companies",
  companyName: (name: string, domain: string) => (domain ? `${name} (${domain})` : name),
  /** Where its name could not be loaded. */
  chosenCompany: "The chosen company",
  companiesFailed: "The companies could not be loaded, so you can only send to all of them.",
  companyGone: "This company is no longer in the list. Please choose again.",
  companyUnknown: "the companies could not be read",
  notificationTitle: "Notification Title",
  message: "Message",
  link: "Link",
  linkHint:
    "Opened by a click: a page of this site, such as /early-access. Leave empty for the landing page.",
  leadsTo: (link: string) => `Opens ${link || "the landing page"}`,
  linkWrong: "Please enter a page of this site that starts with a slash, such as /early-access.",
  bytes: (used: number, max: number) => `${grouped(used)} of ${grouped(max)} bytes`,
  bytesHint: "Push services accept no more than this.",
  tooLong: (over: number) =>
    `Together this is ${grouped(over)} bytes too long for a push service. Please shorten the message.`,
  send: "Send Notification",
  sending: "Sending...",
  sendTest: "Test on my own device",
  testHint:
    "Allows notifications in this browser and sends this one only to it. From then on it also gets what is sent to landing page subscribers.",
  testNeedsScript: "Testing on your own device needs JavaScript.",
  testFailed: (reason: string) => `The test was not sent. The push service says: ${reason}`,
  testUnusable: "The test was not sent: this browser's push service is not allowed (PUSH_ALLOWED_HOSTS).",
  confirmTitle: "Send this notification?",
  confirm: (count: number, audience: string) => `It goes to ${devices(count)}: ${audience}.`,
  /** @param ago "7 days ago" */
  lastSent: (ago: string) => `The last one was ${ago}; visitors were promised at most ${PUSH_PROMISE.text}.`,
  cannotBeUndone: "Sent notifications cannot be recalled.",
  cancel: "Cancel",
  noDevices: "no device of this audience is registered",
  dayIsFull: "the daily limit is reached (BROADCASTS_PER_DAY)",
  success: (sent: number, failed: number) =>
    `Successfully sent to ${grouped(sent)} devices${failed > 0 ? ` (${grouped(failed)} failed)` : ""}`,
  nobodyReached: (failed: number, skipped: number) => {
    if (failed > 0) return `Sent to no device (${grouped(failed)} failed)`;
    return skipped > 0 ? "Sent to no device: all of them were skipped" : "Sent to no device";
  },
  failure: (reason: string) => `Failed to send broadcast notification: ${reason}`,
  /** @param detail the response as stored, "403 bad keys": its text alone is told, without the status. */
  refusedWith: (detail: string) => {
    const text = detail.replace(/^\d{3}\b\s*/, "");
    return text === "" ? notificationFailed : `Failed to send broadcast notification: ${text}`;
  },
  failed: notificationFailed,
  progress: (done: number, all: number) => `Sending: ${grouped(done)} of ${devices(all)} done`,
  preparing: (prepared: number) => `Preparing the list of devices: ${grouped(prepared)} so far`,
  retrying: (count: number) => `${devices(count)} failed, retrying.`,
  goesOn: "This continues in the background. You may leave this page.",
  seeDevices: "See all devices",
  history: {
    title: "Sent notifications",
    emptyTitle: "No notifications yet",
    empty: "Notifications you send appear here with their results.",
    columns: {
      title: "Title",
      state: "Status",
      sent: "Delivered",
      audience: "Audience",
      by: "Written by",
      at: "Sent",
    },
  },
  page: {
    list: "Notifications",
    summary: (audience: string, author: string) => `To ${audience}, by ${author}.`,
    devices: "Devices",
    delivery: "Delivery",
    sent: "Sent",
    failed: "Failed",
    gone: "Gone",
    goneNote: "no longer registered",
    causes: "Why devices were not reached",
    causesOfFirst: (count: number) =>
      `Why devices were not reached (the first ${grouped(count)} of each status)`,
    skipped: "Not sent",
    waiting: "Pending",
    pause: "Pause",
    resume: "Resume",
    tryAgain: "Try again",
    retryFailed: "Retry failed",
    cancel: "Cancel this notification",
    cancelTitle: "Cancel this notification?",
    /** @param waiting undefined while the devices are still being listed. */
    cancelQuestion: (waiting: number | undefined) =>
      `${waiting === undefined ? "Devices that are not reached yet" : devices(waiting)} will not get it. Notifications already sent cannot be recalled.`,
    keepSending: "Keep sending",
    acceptRefusals: "Remove gone devices and resume",
    paused: "Paused. Resume to send the rest.",
    cancelled: (sent: number) => `Cancelled after ${devices(sent)}.`,
    unauthorized:
      "The push service does not accept our keys. No devices were removed. Fix the keys, then try again: refused devices are retried.",
    message:
      "The push service rejects this message, even for devices that accepted others before. No devices were removed. Cancel it and write another one, or fix what the push service says and try again.",
    refusals:
      "More than 20 of the first 100 devices that accepted notifications before are gone or were refused, so the problem is more likely on our side. No devices were removed. Fix what the push service says, then try again.",
    acceptHint: "If those devices are really gone, for example in an old list, remove them and resume.",
    whatItSays: "Message on devices",
    tableCaption: "Devices of this notification",
    device: "Device",
    noRows: "No devices with this status.",
    rowStates: {
      pending: "Pending",
      claimed: "Sending",
      retrying: "Retrying",
      accepted: "Sent",
      failed: "Failed",
      gone: "Gone",
      skipped: "Not sent",
    },
  },
} as const;
