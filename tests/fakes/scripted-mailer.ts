import type { Email, Mailer, SendOutcome } from "~/services/mail/mailer";

/** Outcome of one email; an Error is thrown. */
export type ScriptedOutcome = SendOutcome | Error | Promise<SendOutcome>;

/** @param time number of sends with this Message-ID so far, from 1. */
export type Script = (email: Email, time: number) => ScriptedOutcome;

export const accepted: SendOutcome = { kind: "accepted", detail: "250 OK" };
export const deferred: SendOutcome = { kind: "deferred", code: 451, detail: "451 try again later" };
export const refused: SendOutcome = {
  kind: "refused",
  code: 550,
  detail: "550 5.1.1 no such user",
  part: "recipient",
};
export const unauthorized: SendOutcome = { kind: "unauthorized", detail: "535 bad credentials" };
export const unreachable: SendOutcome = { kind: "unreachable", detail: "connection refused" };
export const unknown: SendOutcome = { kind: "unknown", detail: "connection lost after the message" };
/** Outcome that never comes, as when the process dies with the email in flight. */
export const neverSettles = new Promise<never>(() => undefined);

/** Makes a script with outcomes of their own for some addresses; the others are accepted. */
export const scriptByAddress =
  (answers: Record<string, ScriptedOutcome>): Script =>
  ({ to }) =>
    answers[to.address] ?? accepted;

/** Mailer in memory whose outcomes come from a script; by default it accepts everything. */
export class ScriptedMailer implements Mailer {
  readonly name = "scripted";
  /** Every email handed to it, in order, whatever its outcome. */
  readonly received: Email[] = [];
  /** Answers of `knows` by Message-ID: whether the email was provably accepted. */
  readonly proofs = new Map<string, boolean>();
  script: Script;

  constructor(script: Script = () => accepted) {
    this.script = script;
  }

  async send(email: Email): Promise<SendOutcome> {
    this.received.push(email);
    const answer = await this.script(email, this.countSends(email.messageId));
    if (answer instanceof Error) throw answer;
    return answer;
  }

  async knows(messageId: string): Promise<boolean | undefined> {
    return this.proofs.get(messageId);
  }

  async close(): Promise<void> {
    // Holds no resources.
  }

  /** Recipients in the order of their emails. */
  get recipients(): string[] {
    return this.received.map((email) => email.to.address);
  }

  countSends(messageId: string): number {
    return this.received.filter((email) => email.messageId === messageId).length;
  }
}
