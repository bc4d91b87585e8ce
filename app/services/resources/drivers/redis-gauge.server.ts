import { createClient } from "@redis/client";
import type { Logger } from "pino";
import { getErrorMessage } from "~/lib/error-message";
import { maskSecrets } from "~/lib/mask-secrets";
import type { SetTimer } from "~/lib/set-timer";
import { within } from "~/lib/within";
import type { MeetingMetrics, RedisStatus } from "~/services/resources/system-resources";

/** Keys of the marketed application's meetings (docs/operations.md). */
const MEETING_KEYS = {
  /** Set: one member per active meeting. */
  active: "meetings:active",
  /** Set: one member per bot in a meeting. */
  bots: "meetings:bots",
  /** Number, as stored by INCR: recordings ever made. */
  recordings: "meetings:recordings",
} as const;

/** Timeout of connecting, and then of a read's answers (hardening R12). */
const TIMEOUT_MS = 250;
/** A caller's longest wait for a read. */
const CALLER_WAIT_MS = 15;
/** Delay after a failure before the next attempt: the circuit breaker. */
const RETRY_MS = 2000;

interface RedisGaugeDeps {
  readonly url: string;
  readonly log: Pick<Logger, "warn" | "info">;
  /** For tests, as is `setTimer`. */
  readonly elapsed?: () => number;
  readonly setTimer?: SetTimer;
}

interface RedisReading {
  readonly redis: RedisStatus;
  /** Undefined while Redis is disconnected, and when it has none of the keys. */
  readonly meetings: MeetingMetrics | undefined;
}

type Client = ReturnType<typeof createSingleUseClient>;

/**
 * Reads Redis in the background: one read at a time, and none for two seconds after a failure. A read has 250 ms to
 * connect, where it has to, and 250 ms for the answers. Callers wait 15 ms at most and then get the last known values;
 * the read continues for the next caller.
 */
export class RedisGauge {
  readonly #url: string;
  readonly #log: Pick<Logger, "warn" | "info">;
  readonly #elapsed: () => number;
  readonly #setTimer: SetTimer | undefined;
  readonly #disconnected: RedisReading;
  #client: Client | undefined;
  #last: RedisReading;
  #pending: Promise<RedisReading> | undefined;
  #retryAt = -Infinity;
  #isClosed = false;
  #isFailureLogged = false;

  constructor(deps: RedisGaugeDeps) {
    this.#url = deps.url;
    this.#log = deps.log;
    this.#elapsed = deps.elapsed ?? (() => performance.now());
    this.#setTimer = deps.setTimer;
    const nothing = { isConnected: false, memoryUsageMB: 0, totalKeys: 0, activeMeetings: 0 };
    const redis = { ...nothing, connectionString: maskSecrets(deps.url) };
    this.#disconnected = { redis, meetings: undefined };
    this.#last = this.#disconnected;
    // The first client builds its hundreds of commands, some 15 ms: done at the start, so that no caller waits.
    createSingleUseClient(deps.url);
  }

  /** Never throws. */
  async read(): Promise<RedisReading> {
    this.#pending ??= this.#refresh().finally(() => (this.#pending = undefined));
    return (await within(CALLER_WAIT_MS, this.#pending, this.#setTimer)) ?? this.#last;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#pending;
    this.#disconnect();
  }

  async #refresh(): Promise<RedisReading> {
    if (this.#isClosed || this.#elapsed() < this.#retryAt) return this.#last;
    try {
      const client = await within(TIMEOUT_MS, this.#connect(), this.#setTimer);
      const reading = client && (await within(TIMEOUT_MS, this.#query(client), this.#setTimer));
      if (!reading) throw new Error(`no answer within ${TIMEOUT_MS} ms`);
      if (this.#isFailureLogged) this.#log.info("Redis answers again");
      this.#isFailureLogged = false;
      this.#last = reading;
    } catch (err) {
      this.#disconnect();
      this.#retryAt = this.#elapsed() + RETRY_MS;
      // The message only: an error of the client may contain the options it was created with.
      if (!this.#isFailureLogged) this.#log.warn({ err: getErrorMessage(err) }, "Redis does not answer");
      this.#isFailureLogged = true;
      this.#last = this.#disconnected;
    }
    return this.#last;
  }

  async #connect(): Promise<Client> {
    if (this.#client?.isReady) return this.#client;
    this.#disconnect();
    const client = createSingleUseClient(this.#url);
    this.#client = client;
    // A client that is destroyed before its socket is connected leaves the socket open.
    client.on("connect", () => {
      if (this.#client !== client) client.destroy();
    });
    await client.connect();
    return client;
  }

  /** Reads all values in one pipeline of constant-time commands. */
  async #query(client: Client): Promise<RedisReading> {
    // A key of an unexpected type gives no value, and does not affect the others.
    const ignoreError = <Reply>(reply: Promise<Reply>) => reply.catch(() => null);
    const [info, totalKeys, meetingKeys, active, bots, recordings] = await Promise.all([
      client.info("memory"),
      client.dbSize(),
      client.exists(Object.values(MEETING_KEYS)),
      ignoreError(client.sCard(MEETING_KEYS.active)),
      ignoreError(client.sCard(MEETING_KEYS.bots)),
      ignoreError(client.get(MEETING_KEYS.recordings)),
    ]);
    const memoryUsageMB = Number(/^used_memory:(\d+)/m.exec(info)?.[1] ?? 0) / 1_048_576;
    const meetings = {
      concurrentMeetings: active ?? 0,
      activeBots: bots ?? 0,
      totalRecordings: /^\d+$/.test(recordings ?? "") ? Number(recordings) : 0,
    };
    const activeMeetings = meetings.concurrentMeetings;
    return {
      redis: { ...this.#disconnected.redis, isConnected: true, memoryUsageMB, totalKeys, activeMeetings },
      meetings: meetingKeys === 0 ? undefined : meetings,
    };
  }

  #disconnect(): void {
    if (this.#client?.isOpen) this.#client.destroy();
    this.#client = undefined;
  }
}

/** Creates a client for one connection. It never reconnects by itself: the gauge decides when to, with a new one. */
function createSingleUseClient(url: string) {
  const client = createClient({
    url,
    // The protocol that every Redis supports.
    RESP: 2,
    disableClientInfo: true,
    disableOfflineQueue: true,
    socket: { connectTimeout: TIMEOUT_MS, reconnectStrategy: false },
  });
  // Errors are reported by the failing command; without a listener they would end the process.
  client.on("error", () => undefined);
  return client;
}
