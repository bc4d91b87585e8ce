import type { Mail, Mailer, MailOutcome } from "~/services/mail/mailer";
import type { MirrorOutcome, SubmissionMirror } from "~/services/mirrors/submission-mirror";
import type { DeviceAddress, PushOutcome, PushSender } from "~/services/push/push-sender";

/** A fake mail server: it answers as scripted, and nothing leaves this process. */
export class SilentMailer implements Mailer {
  readonly name = "silent";
  /** Returns the outcome of each email. */
  answer: (mail: Mail) => MailOutcome | Promise<MailOutcome> = () => ({ kind: "accepted", detail: "250 OK" });
  readonly #keep: Pick<Mailer, "send"> | undefined;
  #kept = 0;
  readonly #most: number;

  /** @param keep stores accepted emails as files on this disk. @param most the maximum of stored emails. */
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

/** A fake push service. */
export class SilentPushSender implements Pick<PushSender, "name" | "send" | "readToken"> {
  readonly name: PushSender["name"];
  /** Returns the outcome of each message. */
  answer: (device: DeviceAddress) => PushOutcome | Promise<PushOutcome> = () => ({
    kind: "accepted",
    status: 201,
    detail: "",
  });

  constructor(name: PushSender["name"]) {
    this.name = name;
  }

  /** Parses its own tokens. A real engine does not allow their host and would not contact it. */
  readToken(token: string): DeviceAddress {
    return { token, endpoint: this.name === "webpush" ? token : "", p256dh: "", auth: "", public_key: "" };
  }

  async send(device: DeviceAddress): Promise<PushOutcome> {
    return this.answer(device);
  }
}

/** A fake mirror: it accepts everything until configured otherwise. */
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
