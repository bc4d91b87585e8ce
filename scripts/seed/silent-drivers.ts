import type { Mail, Mailer, MailOutcome } from "~/services/mail/mailer";
import type { MirrorOutcome, SubmissionMirror } from "~/services/mirrors/submission-mirror";
import type { DeviceAddress, PushOutcome, PushSender } from "~/services/push/push-sender";

/** A mail server that is none: it answers as the past has it, and nothing leaves this process. */
export class SilentMailer implements Mailer {
  readonly name = "silent";
  /** How the next mails end; asked for each. */
  answer: (mail: Mail) => MailOutcome | Promise<MailOutcome> = () => ({ kind: "accepted", detail: "250 OK" });
  readonly #keep: Pick<Mailer, "send"> | undefined;
  #kept = 0;
  readonly #most: number;

  /** @param keep where accepted mails can be read afterwards: files on this disk. @param most how many of them. */
  constructor(keep: Pick<Mailer, "send"> | undefined, most: number) {
    this.#keep = keep;
    this.#most = most;
  }

  async send(mail: Mail): Promise<MailOutcome> {
    const outcome = await this.answer(mail);
    if (outcome.kind !== "accepted" || this.#kept >= this.#most) return outcome;
    this.#kept += 1;
    return (await this.#keep?.send(mail)) ?? outcome;
  }

  async knows(): Promise<undefined> {
    return undefined;
  }

  async close(): Promise<void> {
    // Nothing is open.
  }
}

/** A push service that is none. */
export class SilentPushSender implements Pick<PushSender, "name" | "send" | "readToken"> {
  readonly name: PushSender["name"];
  /** How the next messages end; asked for each. */
  answer: (device: DeviceAddress) => PushOutcome | Promise<PushOutcome> = () => ({
    kind: "accepted",
    status: 201,
    detail: "",
  });

  constructor(name: PushSender["name"]) {
    this.name = name;
  }

  /** Takes its own tokens. A real engine knows no such host and would not speak to it. */
  readToken(token: string): DeviceAddress {
    return { token, endpoint: this.name === "webpush" ? token : "", p256dh: "", auth: "", public_key: "" };
  }

  async send(device: DeviceAddress): Promise<PushOutcome> {
    return this.answer(device);
  }
}

/** A mirror that is none: it says yes until it is told to say something else. */
export class SilentMirror implements SubmissionMirror {
  readonly name = "web-endpoint";
  readonly batch = 500;
  readonly isRepeatable = false;
  readonly read = undefined;
  answer: MirrorOutcome = { kind: "written" };

  async write(): Promise<MirrorOutcome> {
    return this.answer;
  }

  async close(): Promise<void> {
    // Nothing is open.
  }
}
