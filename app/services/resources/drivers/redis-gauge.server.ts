import { createClient } from "@redis/client";
import type { Logger } from "pino";
import { maskSecrets } from "~/lib/mask-secrets";
import { within } from "~/lib/within";
import type { MeetingMetrics, RedisStatus } from "~/services/resources/system-resources";

/** Where the marketed application keeps its meetings (docs/operations.md). */
const MEETING_KEYS = {
  /** Set: one member for each meeting under way. */
  active: "meetings:active",
  /** Set: one member for each bot that sits in one. */
  bots: "meetings:bots",
  /** Number, as INCR keeps it: recordings ever made. */
  recordings: "meetings:recordings",
} as const;

/** Longest wait for a connection, and for answers (hardening R12). */
const TIMEOUT_MS = 250;
/** Longest wait of whoever asks. */
const PATIENCE_MS = 15;
/** After a failure nobody tries again for so long: the breaker. */
const REST_MS = 2000;

export interface RedisReading {
  readonly redis: RedisStatus;
  /** Undefined while Redis is away, and when it holds none of the keys. */
  readonly meetings: MeetingMetrics | undefined;
}

type Client = ReturnType<typeof createConnection>;

/**
 * Looks into Redis without ever waiting for it: one look at a time, cut off after 250 ms, and none for two seconds after
 * one failed. Whoever reads waits 15 ms at most and then gets what was known last; the look goes on for the next reader.
 */
export class RedisGauge {
  readonly #url: string;
  readonly #log: Pick<Logger, "warn" | "info">;
  readonly #elapsed: () => number;
  readonly #away: RedisReading;
  #client: Client | undefined;
  #last: RedisReading;
  #looking: Promise<RedisReading> | undefined;
  #restsUntil = -Infinity;
  #isClosed = false;
  #toldAway = false;

  constructor(deps: { url: string; log: Pick<Logger, "warn" | "info">; elapsed?: () => number }) {
    this.#url = deps.url;
    this.#log = deps.log;
    this.#elapsed = deps.elapsed ?? (() => performance.now());
    const nothing = { isConnected: false, memoryUsageMB: 0, totalKeys: 0, activeMeetings: 0 };
    const redis = { ...nothing, connectionString: maskSecrets(deps.url) };
    this.#last = this.#away = { redis, meetings: undefined };
    // The first client builds its hundreds of commands, some 15 ms: at the start nobody waits for them.
    createConnection(deps.url);
  }

  /** Never throws. */
  async read(): Promise<RedisReading> {
    this.#looking ??= this.#look().finally(() => (this.#looking = undefined));
    return (await within(PATIENCE_MS, this.#looking)) ?? this.#last;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#looking;
    this.#drop();
  }

  async #look(): Promise<RedisReading> {
    if (this.#isClosed || this.#elapsed() < this.#restsUntil) return this.#last;
    try {
      const client = await within(TIMEOUT_MS, this.#connected());
      const reading = client && (await within(TIMEOUT_MS, this.#ask(client)));
      if (!reading) throw new Error(`no answer within ${TIMEOUT_MS} ms`);
      if (this.#toldAway) this.#log.info("Redis is back");
      this.#toldAway = false;
      return (this.#last = reading);
    } catch (err) {
      this.#drop();
      this.#restsUntil = this.#elapsed() + REST_MS;
      if (!this.#toldAway) this.#log.warn({ err: getMessage(err) }, "Redis is away");
      this.#toldAway = true;
      return (this.#last = this.#away);
    }
  }

  async #connected(): Promise<Client> {
    if (this.#client?.isReady) return this.#client;
    this.#drop();
    this.#client = createConnection(this.#url);
    await this.#client.connect();
    return this.#client;
  }

  /** All of it is sent at once, and each command costs Redis the same however much it holds. */
  async #ask(client: Client): Promise<RedisReading> {
    const { active, bots, recordings } = MEETING_KEYS;
    // A key of another kind than it should be says nothing, and hides nothing else.
    const unless = <Reply>(reply: Promise<Reply>) => reply.catch(() => null);
    const [info, totalKeys, known, concurrent, activeBots, made] = await Promise.all([
      client.info("memory"),
      client.dbSize(),
      client.exists([active, bots, recordings]),
      unless(client.sCard(active)),
      unless(client.sCard(bots)),
      unless(client.get(recordings)),
    ]);
    const activeMeetings = concurrent ?? 0;
    const memoryUsageMB = Number(/^used_memory:(\d+)/m.exec(info)?.[1] ?? 0) / 1_048_576;
    const totalRecordings = /^\d+$/.test(made ?? "") ? Number(made) : 0;
    return {
      redis: { ...this.#away.redis, isConnected: true, memoryUsageMB, totalKeys, activeMeetings },
      meetings:
        known === 0
          ? undefined
          : { concurrentMeetings: activeMeetings, activeBots: activeBots ?? 0, totalRecordings },
    };
  }

  #drop(): void {
    if (this.#client?.isOpen) this.#client.destroy();
    this.#client = undefined;
  }
}

/** It never connects again by itself: when and how often is the gauge's to say. */
function createConnection(url: string) {
  const client = createClient({
    url,
    // The one every Redis speaks.
    RESP: 2,
    disableClientInfo: true,
    disableOfflineQueue: true,
    socket: { connectTimeout: TIMEOUT_MS, reconnectStrategy: false },
  });
  // What breaks is said by the command it broke; without a listener it would end the process.
  client.on("error", () => undefined);
  return client;
}

/** Its words alone: an error of the client may hold the options it was made with. */
function getMessage(error: unknown): string {
  return error instanceof Error ? error.message || error.name : "unknown";
}
