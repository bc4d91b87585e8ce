import { describe, expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { days, seconds } from "~/lib/durations";
import { dialects } from "../databases";
import {
  addDevices,
  listAuditEntries,
  createTestBroadcasts,
  getEndpoint,
  LONG_KNOWN,
  names,
} from "../factories/broadcast";
import { createBroadcastsWithService } from "../factories/broadcast-service";
import type { PushAnswer } from "../fakes/push-service";
import { accepted } from "../fakes/scripted-push-sender";
import { sizeOf } from "../sizes";
import { useDatabase } from "./use-database";

const GOOD = sizeOf({ daily: 300, full: 5000 });
const MANY = sizeOf({ daily: 60, full: 1000 });

/** What a registration that somebody made up can have its push service answer, at the given try. */
const HOSTILE: Record<string, (time: number) => PushAnswer> = {
  401: () => ({ status: 401, body: "no key" }),
  403: () => ({ status: 403, body: "invalid JWT provided" }),
  404: () => ({ status: 404 }),
  410: () => ({ status: 410, body: "expired" }),
  413: () => ({ status: 413 }),
  429: () => ({ status: 429, headers: { "Retry-After": "100000" } }),
  500: () => ({ status: 500 }),
  reset: () => "reset",
  // It takes the driver's whole time limit, so not at all ten tries.
  silent: (time) => (time <= 2 ? "silent" : "drop"),
};
const EVERY_KIND = Object.keys(HOSTILE);
const GONE = ["404", "410"];
/** Each message is tried ten times. */
const TRIES = 10;

describe.each(dialects)("a broadcast on %s", (dialect) => {
  let database: Database;
  useDatabase(dialect, (opened) => (database = opened));

  it.each<[number, readonly string[]]>([
    [1, ["403"]],
    [21, ["410"]],
    [21, EVERY_KIND],
    [MANY, EVERY_KIND],
  ])(
    `reaches all of ${GOOD} good devices beside %i hostile registrations that answer %j, and removes none of them (C39)`,
    async (count, kinds) => {
      const times = new Map<string, number>();
      const answer = (path: string): PushAnswer => {
        const hostile = HOSTILE[/^\/hostile-(\w+)-/.exec(path)?.[1] ?? ""];
        times.set(path, (times.get(path) ?? 0) + 1);
        return hostile?.(times.get(path) ?? 0) ?? { status: 201 };
      };
      const world = await createBroadcastsWithService(database, answer, {
        concurrency: 20,
        timeoutMs: sizeOf({ daily: 1000, full: 2000 }),
      });
      const hostile = Array.from(
        { length: count },
        (_, index) => `hostile-${kinds[index % kinds.length]}-${index}`,
      );
      const good = names(GOOD);
      await world.register(hostile);
      await world.register(good.slice(0, GOOD / 2), LONG_KNOWN);
      await world.register(good.slice(GOOD / 2));
      const id = await world.confirmed();
      for (let time = 1; time <= TRIES; time += 1) {
        await world.run();
        world.clock.forward(days(1));
      }
      expect(await world.getStats(id)).toMatchObject({ state: "finished", sent: GOOD });
      expect(await listAuditEntries(database, id)).not.toContain("system stop-broadcast");
      const isGone = (name: string) => GONE.some((kind) => name.startsWith(`hostile-${kind}-`));
      const kept = [...hostile.filter((name) => !isGone(name)), ...good];
      expect(await world.devices()).toEqual(kept.map(world.service.endpoint));
      await world.end();
    },
    sizeOf({ daily: 60_000, full: 600_000 }),
  );

  it("tries every device once before it tries one a second time, those that took messages before first (C39)", async () => {
    const hostile = Array.from({ length: 30 }, (_, index) => `hostile-${index}`);
    await addDevices(database, hostile);
    await addDevices(database, names(30));
    await addDevices(database, ["long-known"], LONG_KNOWN);
    const { clock, sender, dispatcher, confirmed, getStats } = createTestBroadcasts(database);
    sender.script = (endpoint) => {
      if (!endpoint.includes("hostile")) return accepted;
      // As long as a message may take, so that its first retry is due while others still wait for their turn.
      clock.forward(seconds(10));
      return { kind: "unknown", detail: "The push service took too long" };
    };
    const id = await confirmed();
    await dispatcher({ concurrency: 5 }).tick();
    expect(sender.endpoints.slice(0, 61)).toEqual(["long-known", ...hostile, ...names(30)].map(getEndpoint));
    expect(await getStats(id)).toMatchObject({ sent: 31, retrying: 30 });
  });
});
