import type { Mailer, SendOutcome } from "./mailer";

/** Why the mail server takes no emails: it cannot be reached, or it rejects our login or sender. */
export type MailProblem = "unreachable" | "unauthorized";

interface WatchedMailer {
  readonly mailer: Mailer;
  /** Returns the problem of the latest failed attempt; undefined once an attempt after it was answered. */
  readonly getProblem: () => MailProblem | undefined;
}

/**
 * Wraps a mailer so that an outage of its server is logged at its first failure and at its end, not at each attempt.
 * An `unknown` outcome changes nothing: it does not say whether the server works. Nor does the answer to an attempt
 * that began before the latest failure: the server may be gone since.
 */
export function watchMailer(
  mailer: Mailer,
  log: { warn(fields: object, message: string): void },
): WatchedMailer {
  let problem: MailProblem | undefined;
  let failures = 0;

  /** @param failuresBefore how many there were when the attempt began. */
  function observe({ kind, detail }: SendOutcome, failuresBefore: number): void {
    if (kind === "unknown") return;
    const found = kind === "unreachable" || kind === "unauthorized" ? kind : undefined;
    if (found === undefined && failures > failuresBefore) return;
    if (found !== undefined) failures += 1;
    if (found === problem) return;
    problem = found;
    const fields = { mailer: mailer.name, words: detail };
    if (found === undefined) log.warn(fields, "the mail server answers again");
    else if (found === "unreachable") log.warn(fields, "the mail server cannot be reached");
    else log.warn(fields, "the mail server rejects our login or sender");
  }

  return {
    getProblem: () => problem,
    mailer: {
      name: mailer.name,
      async send(email) {
        const failuresBefore = failures;
        const outcome = await mailer.send(email);
        observe(outcome, failuresBefore);
        return outcome;
      },
      knows: (messageId) => mailer.knows(messageId),
      close: () => mailer.close(),
    },
  };
}
