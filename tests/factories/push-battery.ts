import { describe, expect, it } from "vitest";
import { minutes } from "~/lib/durations";
import { MAX_MESSAGE_BYTES } from "~/services/push/push-sender";
import type { DeviceAddress, PushMessage, PushSender } from "~/services/push/push-sender";
import type { TestClock } from "./time";

export const MESSAGE: PushMessage = {
  notification: { title: "The beta opens", body: "Come in, 世界" },
  tag: "one",
  link: "/contact",
};

type Response = { readonly status: number; readonly headers?: Record<string, string> } | "drop" | "silent";

interface Engine {
  readonly sender: PushSender;
  readonly clock: TestClock;
  readonly createDevice: () => DeviceAddress;
  readonly service: {
    /** Messages received, whatever the response. */
    readonly received: readonly unknown[];
    /** Requests of any kind, where the engine makes others too. */
    readonly requests?: readonly unknown[];
    readonly cert: string;
    close(): Promise<void>;
  };
}

/** Runs the contract of PushSender against a service that speaks the engine's protocol. */
export function describePushSender(
  name: string,
  setUp: (respond?: () => Response, options?: { timeoutMs?: number; ca?: string }) => Promise<Engine>,
): void {
  describe(name, () => {
    // R10
    it("reads a Retry-After that is a date, also a past one", async () => {
      let date = "";
      const { sender, clock, createDevice } = await setUp(() => ({
        status: 429,
        headers: { "Retry-After": date },
      }));
      date = new Date(clock() + minutes(5)).toUTCString();
      expect(await sender.send(createDevice(), MESSAGE)).toMatchObject({ retryAfterMs: minutes(5) });
      date = new Date(clock() - minutes(5)).toUTCString();
      expect(await sender.send(createDevice(), MESSAGE)).toMatchObject({ retryAfterMs: 0 });
    });

    it("reports a message without a response as unknown, and does not repeat it", async () => {
      let response: Response = "drop";
      const { service, sender, createDevice } = await setUp(() => response, { timeoutMs: 500 });
      expect(await sender.send(createDevice(), MESSAGE)).toMatchObject({ kind: "unknown" });
      response = "silent";
      const detail = expect.stringContaining("took too long");
      expect(await sender.send(createDevice(), MESSAGE)).toEqual({ kind: "unknown", detail });
      // An immediate repetition would have arrived before this message.
      response = { status: 200 };
      expect(await sender.send(createDevice(), MESSAGE)).toMatchObject({ kind: "accepted" });
      expect(service.received).toHaveLength(3);
    });

    // C22
    it("sends nothing to a host that is unreachable or whose certificate is not trusted", async () => {
      const { service, sender, createDevice } = await setUp();
      await service.close();
      expect(await sender.send(createDevice(), MESSAGE)).toMatchObject({ kind: "unreachable" });
      const other = await setUp(undefined, { ca: service.cert });
      expect(await other.sender.send(other.createDevice(), MESSAGE)).toMatchObject({ kind: "unreachable" });
      expect([...other.service.received, ...(other.service.requests ?? [])]).toEqual([]);
    });

    it("sends a message of the maximum length, and no longer one", async () => {
      const { service, sender, createDevice } = await setUp();
      expect(await sender.send(createDevice(), createLongest())).toMatchObject({ kind: "accepted" });
      await expect(sender.send(createDevice(), createLongest(1))).rejects.toThrow(RangeError);
      expect(service.received).toHaveLength(1);
    });
  });
}

/** Creates a message of the maximum length, or longer by some bytes. */
export function createLongest(more = 0): PushMessage {
  const empty = JSON.stringify({ notification: { title: "", body: "" } });
  return { notification: { title: "", body: "x".repeat(MAX_MESSAGE_BYTES - empty.length + more) } };
}
