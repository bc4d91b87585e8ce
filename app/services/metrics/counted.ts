import type { Mailer } from "~/services/mail/mailer";
import type { PushSender } from "~/services/push/push-sender";
import type { Signups } from "~/services/signups/signups.server";
import type { SignupOutcome } from "~/services/signups/signups.server";
import type { SubmissionKind } from "~/services/signups/submission-kinds";
import { SUBMISSION_KINDS } from "~/services/signups/submission-kinds";

/** prom-client's shape. */
export interface Count {
  inc(labels: Readonly<Record<string, string>>, by?: number): void;
}

/** What became of a form, in the words of docs/metrics.md. */
const SIGNUP_WORDS = { stored: "accepted", quarantined: "quarantined", repeated: "duplicate" } as const;
const SIGNUP_OUTCOMES = [...Object.values(SIGNUP_WORDS), "refused"];
const MAIL_OUTCOMES = ["accepted", "deferred", "refused", "unauthorized", "unreachable", "unknown"];
const PUSH_OUTCOMES = [...MAIL_OUTCOMES, "credentials-refused", "gone", "unusable"];

/** The forms' service, counted. A form whose content is wrong never comes so far. */
export function countedSignups(signups: Signups, count: Count): Signups {
  for (const form of SUBMISSION_KINDS) for (const outcome of SIGNUP_OUTCOMES) count.inc({ form, outcome }, 0);
  const told = async (form: SubmissionKind, recording: Promise<SignupOutcome>) => {
    const outcome = await recording;
    count.inc({ form, outcome: outcome.ok ? SIGNUP_WORDS[outcome.outcome] : "refused" });
    return outcome;
  };
  return {
    ...signups,
    recordEarlyAccessSignup: (...given) => told("early-access", signups.recordEarlyAccessSignup(...given)),
    recordContactSubmission: (...given) => told("contact-form", signups.recordContactSubmission(...given)),
    recordUpdatesSignup: (...given) => told("updates-signup", signups.recordUpdatesSignup(...given)),
  };
}

/** The mail driver, counted: mails of sends, tests, confirmations and the API alike. */
export function countedMailer(mailer: Mailer, count: Count): Mailer {
  for (const outcome of MAIL_OUTCOMES) count.inc({ outcome }, 0);
  return {
    name: mailer.name,
    async send(mail) {
      const outcome = await mailer.send(mail);
      count.inc({ outcome: outcome.kind });
      return outcome;
    },
    knows: (messageId) => mailer.knows(messageId),
    close: () => mailer.close(),
  };
}

/** The push engine, counted. */
export function countedPushSender(sender: PushSender, count: Count): PushSender {
  for (const outcome of PUSH_OUTCOMES) count.inc({ outcome }, 0);
  return {
    ...{ name: sender.name, settings: sender.settings },
    readToken: (token) => sender.readToken(token),
    async send(device, message) {
      const outcome = await sender.send(device, message);
      count.inc({ outcome: outcome.kind });
      return outcome;
    },
    close: () => sender.close(),
  };
}
