import type { DeviceAddress, PushMessage, PushOutcome, PushSender } from "~/services/push/push-sender";

/** Decides the outcome of one message by the device's endpoint; an Error is thrown. */
export type PushScript = (endpoint: string, time: number) => PushOutcome | Error | Promise<PushOutcome>;

export const accepted: PushOutcome = { kind: "accepted", status: 201, detail: "" };
export const gone: PushOutcome = { kind: "gone", status: 410, detail: "expired" };

/** Push sender in memory whose outcomes come from a script; by default it accepts everything. */
export class ScriptedPushSender implements Pick<PushSender, "name" | "send"> {
  readonly name = "webpush";
  /** Every message handed to it, in order, whatever its outcome. */
  readonly received: { readonly endpoint: string; readonly message: PushMessage }[] = [];
  script: PushScript;

  constructor(script: PushScript = () => accepted) {
    this.script = script;
  }

  async send({ endpoint }: DeviceAddress, message: PushMessage): Promise<PushOutcome> {
    this.received.push({ endpoint, message });
    const time = this.endpoints.filter((one) => one === endpoint).length;
    const answer = await this.script(endpoint, time);
    if (answer instanceof Error) throw answer;
    return answer;
  }

  get endpoints(): string[] {
    return this.received.map(({ endpoint }) => endpoint);
  }
}
