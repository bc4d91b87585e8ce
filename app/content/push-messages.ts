/** What the card promises visitors; the back office repeats it before the next notification. */
export const PUSH_PROMISE = { text: "once a month", days: 31 } as const;

/** The specification's sentences and our own. Apart from messages.ts: only visitors who are asked download them. */
export const pushMessages = {
  card: {
    title: "Hear when there is something to see",
    text: (brandName: string) =>
      `A short notification when a part of ${brandName} is finished, at most ${PUSH_PROMISE.text}. You can turn it off in your browser at any time.`,
    analytics: "Also let Google Analytics count my visits. I can stop this at the end of the page.",
    enable: "Enable Notifications",
    close: "Close",
    done: "Notifications are on. We write when there is something to see.",
  },
  /** The notice at the end of the page, for visitors who consented on the card. */
  analytics: {
    title: "Analytics",
    counting: "Google Analytics counts your visits, as you agreed.",
    stop: "Stop counting",
    stopped: "Google Analytics no longer counts your visits.",
  },
  foreground: {
    title: "New Notification",
    body: "You have a new message",
  },
  /** Shown only to visitors who pressed the button. */
  alerts: {
    setUpFailed:
      "Failed to set up notifications. Please ensure you're using a supported browser and try again.",
    denied:
      "Notification permission denied. Please enable notifications in your browser settings to receive updates.",
    failed: "Failed to enable notifications. Please try again.",
  },
  /** For the console. */
  internal: {
    unsupported: "Browser does not support notifications or service workers",
    denied: "Notification permission denied",
    workerNotReady: "The push service worker was not ready in time",
    notSignedIn: "The visitor could not be signed in",
    noToken: "No FCM token received",
    notSaved: "Failed to save token",
  },
} as const;
