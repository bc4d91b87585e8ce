import type { Mail, Mailer, MailOutcome } from "~/services/mail/mailer";

/** How the mailer answers one mail; an Error is thrown. */
export type ScriptedAnswer = MailOutcome | Error | Promise<MailOutcome>;

/** @param time counts the campaigns of this Message-ID from 1. */
export type Script = (mail: Mail, time: number) => ScriptedAnswer;

export const accepted: MailOutcome = { kind: "accepted", detail: "250 OK" };
export const deferred: MailOutcome = { kind: "deferred", code: 451, detail: "451 try again later" };
export const refused: MailOutcome = { kind: "refused", code: 550, detail: "550 5.1.1 no such user" };
export const unauthorized: MailOutcome = { kind: "unauthorized", detail: "535 bad credentials" };
export const unreachable: MailOutcome = { kind: "unreachable", detail: "connection refused" };
export const unknown: MailOutcome = { kind: "unknown", detail: "connection lost after the message" };
/** A mail whose ending is never heard of, as when the process dies with it in flight. */
export const unheard = new Promise<never>(() => undefined);

/** A script that treats some addresses differently. */
export const treat =
  (answers: Record<string, ScriptedAnswer>): Script =>
  ({ to }) =>
    answers[to.address] ?? accepted;

/** A mail server in memory that does as the test says: by itself it accepts everything. */
export class ScriptedMailer implements Mailer {
  readonly name = "scripted";
  /** Every mail handed to it, in order, whatever came of it. */
  readonly begun: Mail[] = [];
  /** Message-IDs it can prove to have taken, or not, asked by `knows`. */
  readonly proofs = new Map<string, boolean>();
  script: Script;

  constructor(script: Script = () => accepted) {
    this.script = script;
  }

  async send(mail: Mail): Promise<MailOutcome> {
    this.begun.push(mail);
    const answer = await this.script(mail, this.timesOf(mail.messageId));
    if (answer instanceof Error) throw answer;
    return answer;
  }

  async knows(messageId: string): Promise<boolean | undefined> {
    return this.proofs.get(messageId);
  }

  async close(): Promise<void> {
    // Nothing is open.
  }

  /** Addresses in the order of their mails. */
  get recipients(): string[] {
    return this.begun.map((mail) => mail.to.address);
  }

  timesOf(messageId: string): number {
    return this.begun.filter((mail) => mail.messageId === messageId).length;
  }
}
