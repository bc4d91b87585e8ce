import { grouped } from "~/lib/format-number";

/** What the back office says where the marketed application's own backend, "the platform", has a part (docs/platform.md). */
export const platformMessages = {
  /** In the status bar, before what it is used for. */
  status: "Platform",
  uses: { tenants: "companies", logs: "logs", resources: "resources", broadcasts: "broadcasts" },
  broadcast: {
    title: "The application's devices",
    /** Of an audience, instead of a number of devices. */
    size: (own: string | undefined) => (own ? `${own} + platform` : "by the platform"),
    alsoTo: (own: string, audience: string) =>
      `It goes to ${own} of ours and, through the platform, to the application's: ${audience}.`,
    onlyTo: (audience: string) => `The platform sends it to the application's devices: ${audience}.`,
    /** While nothing of ours goes out. */
    underWay: "Sending: the platform has not answered yet.",
    noLink: "The platform takes title and message; the link goes to our own devices alone.",
    states: {
      waiting: "Waiting for the platform",
      asked: "The platform is sending",
      sent: "Sent by the platform",
      failed: "Not sent by the platform",
      uncertain: "Perhaps sent",
      skipped: "Not sent",
    },
    said: {
      waiting: "The platform is asked as soon as it can be.",
      asked: "The platform was asked, and its answer is waited for.",
      sent: (sent: number, failed: number) =>
        `The platform counts ${grouped(sent)} sent${failed > 0 ? ` and ${grouped(failed)} failed` : ""}.`,
      failed: "The platform did not send it.",
      uncertain:
        "The platform was asked, and its answer did not come: it may have been sent. It is not sent again unless you say so; look at one of the application's devices first.",
      skipped: "It was cancelled before the platform was asked.",
    },
    /** Where it is all there is to say of a notification. */
    short: {
      failed: "The platform did not send it.",
      uncertain: "The platform was asked, and its answer did not come: perhaps it was sent.",
    },
    words: (detail: string) => `What happened: ${detail}`,
    cancel: "The platform will not be asked to send it.",
    again: "Ask the platform again",
    againUncertain: "Send it again, perhaps a second time",
  },
  logs: {
    whose: "The log of the platform.",
    away: "The platform's log cannot be read",
    awayText: (detail: string) =>
      `Nothing was changed. Look again in a moment; if it stays so, docs/platform.md says what to do. What happened: ${detail}.`,
    tryAgain: "Try Again",
    deleteFailed:
      "The platform did not say that it deleted its log, so the lines may still be there. Look at the logs and try again.",
  },
} as const;
