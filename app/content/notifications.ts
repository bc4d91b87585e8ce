import { grouped } from "~/lib/format-number";

const devices = (count: number) => `${grouped(count)} ${count === 1 ? "device" : "devices"}`;

/** Push messages to many devices: the specification's sentences (its sections 2 and 8), word for word, and ours beside them. */
export const notificationMessages = {
  menu: "Send Notifications",
  title: "Send Broadcast Notification",
  state: (all: number) =>
    all === 0
      ? "No device takes notifications yet. Visitors who say yes on the front page become one each."
      : `${devices(all)} ${all === 1 ? "takes" : "take"} notifications.`,
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
  companiesFailed: "The companies could not be read, so it can be sent to all of them only.",
  companyGone: "This company is not in the list any more. Please choose again.",
  companyUnknown: "the companies could not be read",
  notificationTitle: "Notification Title",
  message: "Message",
  link: "Link",
  linkHint: "Where a click leads: a page of this site, such as /early-access. Left empty, the front page.",
  linkWrong: "Please enter a page of this site, beginning with a slash, such as /early-access.",
  bytes: (used: number, most: number) => `${grouped(used)} of ${grouped(most)} bytes`,
  bytesHint: "Push services take no more than this, encrypted.",
  tooLong: (over: number) =>
    `Together this is ${grouped(over)} bytes too long for a push service. Please shorten the message.`,
  send: "Send Notification",
  sending: "Sending...",
  sendTest: "Test on my own device",
  testHint:
    "Asks this browser to take notifications and sends this one to it alone. It then gets what is sent to the front page's visitors, too.",
  testNeedsScript: "Testing on your own device needs JavaScript.",
  testSent: "The test is on its way to this browser.",
  testFailed: (reason: string) => `The test was not sent. The push service says: ${reason}`,
  testUnusable:
    "The test was not sent: this browser's push service is not one we may speak to (PUSH_ALLOWED_HOSTS).",
  confirmTitle: "Send this notification?",
  confirm: (count: number, audience: string) => `It goes to ${devices(count)}: ${audience}.`,
  cannotBeUndone: "What is sent cannot be taken back.",
  cancel: "Cancel",
  noDevices: "no device of this audience is registered",
  dayIsFull: "as many were sent as a day may have (BROADCASTS_PER_DAY)",
  success: (sent: number, failed: number) =>
    `Successfully sent to ${grouped(sent)} devices${failed > 0 ? ` (${grouped(failed)} failed)` : ""}`,
  nobodyReached: (failed: number) =>
    failed > 0
      ? `Sent to no device (${grouped(failed)} failed)`
      : "Sent to no device: all of them were skipped",
  failure: (reason: string) => `Failed to send broadcast notification: ${reason}`,
  failed: "Failed to send notification",
  progress: (done: number, all: number) => `Sending: ${grouped(done)} of ${devices(all)} done`,
  preparing: (frozen: number) => `Sending, and gathering the devices: ${grouped(frozen)} so far`,
  retrying: (count: number) =>
    `${devices(count)} did not answer well and ${count === 1 ? "is" : "are"} tried again by ${count === 1 ? "itself" : "themselves"}.`,
  goesOn: "This goes on by itself; you may leave this page.",
  seeDevices: "See each device",
  changed: "The audience changed while you were looking. Please check the number of devices again.",
  noneNow: "No device of this audience is registered any more, so nothing was sent.",
  unknown: "This notification is not there any more, so nothing was sent. Please write it again.",
  notSendable: "This notification has no title or no message, or is too long, so nothing was sent.",
  already: "This notification was sent before. It was not sent a second time.",
  history: {
    title: "Sent notifications",
    emptyTitle: "Nothing was sent yet",
    empty: "What you send stands here for good: to how many devices, and what became of each.",
    columns: {
      title: "Title",
      state: "Status",
      sent: "Delivered",
      audience: "Audience",
      by: "Sent by",
      at: "Sent",
    },
  },
  page: {
    summary: (audience: string, author: string) => `To ${audience}, by ${author}.`,
    devices: "Devices",
    sent: "Sent",
    failed: "Failed",
    gone: "Gone",
    goneNote: "not registered any more",
    causes: "Why devices were not reached",
    skipped: "Not sent",
    waiting: "Waiting",
    pause: "Pause",
    resume: "Go on",
    tryAgain: "Try again",
    retryFailed: "Try the failed again",
    cancel: "Cancel this notification",
    cancelTitle: "Cancel this notification?",
    cancelQuestion: (waiting: number) =>
      `${devices(waiting)} will not get it. What was sent already cannot be taken back.`,
    keepSending: "Keep sending",
    acceptRefusals: "Remove the gone ones and go on",
    unchanged:
      "The status of this notification has changed in the meantime, so nothing was done. This is how it is now.",
    paused: "Paused by hand. The rest goes out when somebody lets it go on.",
    cancelled: (sent: number) => `Cancelled after ${devices(sent)}.`,
    unauthorized:
      "The push service does not accept our keys. No device was removed. Mend that, then try again: whoever was refused is asked again.",
    message:
      "The push service does not take this message, also for devices that took others before. No device was removed. Cancel it and write another one, or mend what the push service says and try again.",
    refusals:
      "Of the first 100 devices that took notifications before, more than 20 are gone or were refused, so the fault is more likely ours than theirs. No device was removed. Mend what the push service says, then try again.",
    acceptHint: "If those devices are really gone, as in a list of old ones, remove them and go on.",
    whatItSays: "What devices show",
    leadsTo: (link: string) => `Leads to ${link || "the front page"}`,
    tableCaption: "Devices of this notification",
    columns: {
      device: "Device",
      state: "Status",
      detail: "Reason",
      attempts: "Attempts",
      updated: "Updated",
    },
    noRows: "No devices here.",
    more: "More devices",
    download: "Download these as CSV",
    rowStates: {
      pending: "Waiting",
      claimed: "Sending",
      retrying: "Retrying",
      accepted: "Sent",
      failed: "Failed",
      gone: "Gone",
      skipped: "Not sent",
    },
  },
} as const;
