import type { Mailer, SendOutcome } from "./mailer";

/** Why the mail server takes no emails: it cannot be reached, or it rejects our login or sender. */
export type MailProblem = "unreachable" | "unauthorized";

interface WatchedMailer {
  readonly mailer: Mailer;
  /** Returns the problem of the latest attempt of this process; undefined while the mail server answers. */
  readonly getProblem: () => MailProblem | undefined;
}

/**
 * Wraps a mailer so that an outage of its server is logged at its first failure and at its end, not at each attempt.
 * An `unknown` outcome changes nothing: the server took the email.
 */
export function watchMailer(
  mailer: Mailer,
  log: { warn(fields: object, message: string): void },
): WatchedMailer {
  let problem: MailProblem | undefined;

  function observe({ kind, detail }: SendOutcome): void {
    if (kind === "unknown") return;
    const found = kind === "unreachable" || kind === "unauthorized" ? kind : undefined;
    if (found === problem) return;
    problem = found;
    const fields = { mailer: mailer.name, words: detail };
    if (found === undefined) log.warn(fields, "the mail server takes emails again");
    else if (found === "unreachable") log.warn(fields, "the mail server cannot be reached");
    else log.warn(fields, "the mail server rejects our login or sender");
  }

  return {
    getProblem: () => problem,
    mailer: {
      name: mailer.name,
      async send(email) {
        const outcome = await mailer.send(email);
        observe(outcome);
        return outcome;
      },
      knows: (messageId) => mailer.knows(messageId),
      close: () => mailer.close(),
    },
  };
}
