import type { DeviceAddress, PushMessage, PushOutcome, PushSender } from "~/services/push/push-sender";

/** How the push service answers one message, by the device's endpoint; an Error is thrown. */
export type PushScript = (endpoint: string, time: number) => PushOutcome | Error | Promise<PushOutcome>;

export const accepted: PushOutcome = { kind: "accepted", status: 201, detail: "" };
export const gone: PushOutcome = { kind: "gone", status: 410, detail: "expired" };
/** A message whose ending is never heard of, as when the process dies with it in flight. */
export const unheard = new Promise<never>(() => undefined);

/** An engine in memory that does as the test says: by itself it accepts everything. */
export class ScriptedPushSender implements Pick<PushSender, "name" | "send"> {
  readonly name = "webpush";
  /** Every message handed to it, in order, whatever came of it. */
  readonly begun: { readonly endpoint: string; readonly message: PushMessage }[] = [];
  script: PushScript;

  constructor(script: PushScript = () => accepted) {
    this.script = script;
  }

  async send({ endpoint }: DeviceAddress, message: PushMessage): Promise<PushOutcome> {
    this.begun.push({ endpoint, message });
    const answer = await this.script(endpoint, this.timesOf(endpoint));
    if (answer instanceof Error) throw answer;
    return answer;
  }

  get endpoints(): string[] {
    return this.begun.map(({ endpoint }) => endpoint);
  }

  timesOf(endpoint: string): number {
    return this.begun.filter((one) => one.endpoint === endpoint).length;
  }
}
