import { grouped } from "~/lib/format-number";

/** Texts for the backend of the marketed application, "the platform" (docs/platform.md). */
export const platformMessages = {
  broadcast: {
    title: "The application's devices",
    /** The size of an audience, instead of a number of devices. */
    size: (own: string | undefined) => (own ? `${own} + platform` : "by the platform"),
    alsoTo: (own: string, audience: string) =>
      `It goes to ${own} registered here and, through the platform, to the application's devices: ${audience}.`,
    onlyTo: (audience: string) => `The platform sends it to the application's devices: ${audience}.`,
    /** While our own devices are not being sent to. */
    underWay: "Sending: the platform has not answered yet.",
    noLink: "The platform accepts title and message only; the link goes to our own devices.",
    states: {
      pending: "Waiting for the platform",
      retrying: "Waiting for the platform",
      claimed: "The platform is sending",
      sent: "Sent by the platform",
      failed: "Not sent by the platform",
      uncertain: "Uncertain",
      skipped: "Not sent",
    },
    said: {
      pending: "The platform will be asked as soon as possible.",
      retrying: "The platform will be asked as soon as possible.",
      claimed: "The platform was asked and has not answered yet.",
      sent: (sent: number, failed: number) =>
        `The platform reports ${grouped(sent)} sent${failed > 0 ? ` and ${grouped(failed)} failed` : ""}.`,
      failed: "The platform did not send it.",
      uncertain:
        "The platform did not answer, so the notification may have been sent. It is not sent again unless you ask for it; check one of the application's devices first.",
      skipped: "It was cancelled before the platform was asked.",
    },
    /** What the platform did not do, alone or after the counts of our own devices. */
    short: {
      failed: "The platform did not send it.",
      uncertain: "The platform did not answer, so it may have been sent.",
    },
    reason: (detail: string) => `Reason: ${detail}`,
    cancel: "The platform will not be asked to send it.",
    again: "Ask the platform again",
    againUncertain: "Send it again, possibly twice",
  },
  logs: {
    origin: "The platform's log.",
    away: "The platform's log could not be loaded",
    awayText: (detail: string) =>
      `Nothing was changed. Try again in a moment; if it keeps failing, see docs/platform.md. Reason: ${detail}.`,
    tryAgain: "Try Again",
    deleteFailed:
      "The platform did not confirm the deletion, so the lines may still be there. Check the logs and try again.",
  },
} as const;
