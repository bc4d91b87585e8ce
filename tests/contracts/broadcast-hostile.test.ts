import { expect, it } from "vitest";
import { days, seconds } from "~/lib/durations";
import { createBroadcastsWithService, createTestBroadcasts } from "../factories/broadcast";
import { addDevices, getEndpoint, LONG_KNOWN, names } from "../factories/push";
import type { PushAnswer } from "../fakes/push-service";
import { accepted } from "../fakes/scripted-push-sender";
import { chooseSize } from "../sizes";
import { describeOnDatabases } from "./use-database";

const GOOD = chooseSize({ daily: 300, full: 5000 });

/** Answers that the push service of a made-up registration can give, by attempt. */
const HOSTILE: Record<string, (attempt: number) => PushAnswer> = {
  401: () => ({ status: 401, body: "no key" }),
  403: () => ({ status: 403, body: "invalid JWT provided" }),
  404: () => ({ status: 404 }),
  410: () => ({ status: 410, body: "expired" }),
  413: () => ({ status: 413 }),
  429: () => ({ status: 429, headers: { "Retry-After": "100000" } }),
  500: () => ({ status: 500 }),
  reset: () => "reset",
  // Takes the driver's whole timeout, so not for all ten attempts.
  silent: (attempt) => (attempt <= 2 ? "silent" : "drop"),
};
const EVERY_KIND = Object.keys(HOSTILE);
const RUNS: [number, readonly string[]][] = [
  [1, ["403"]],
  [21, ["410"]],
  [21, EVERY_KIND],
  [1000, EVERY_KIND],
];
const ATTEMPTS = 10;

describeOnDatabases("a broadcast on %s", ({ database }) => {
  // C39
  it.each(chooseSize({ daily: RUNS.slice(2, 3), full: RUNS }))(
    `reaches ${GOOD} good devices beside %i that answer %j`,
    async (count, kinds) => {
      const attempts = new Map<string, number>();
      const answer = (path: string): PushAnswer => {
        const attempt = (attempts.get(path) ?? 0) + 1;
        attempts.set(path, attempt);
        const kind = /^\/hostile-(\w+)-/.exec(path)?.[1] ?? "";
        return HOSTILE[kind]?.(attempt) ?? { status: 201 };
      };
      const withService = await createBroadcastsWithService(database, answer, {
        concurrency: 20,
        timeoutMs: chooseSize({ daily: 1000, full: 2000 }),
      });
      const hostile = names(count).map((name, index) => `hostile-${kinds[index % kinds.length]}-${name}`);
      const good = names(GOOD);
      await withService.register(hostile);
      await withService.register(good.slice(0, GOOD / 2), LONG_KNOWN);
      await withService.register(good.slice(GOOD / 2));
      const id = await withService.confirm();
      for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
        await withService.send();
        withService.clock.forward(days(1));
      }
      expect(await withService.getStats(id)).toMatchObject({ state: "finished", sent: GOOD });
      expect(await withService.listAuditEntries(id)).not.toContain("system stop-broadcast");
      const kept = [...hostile.filter((name) => !/^hostile-(?:404|410)-/.test(name)), ...good];
      expect(await withService.listEndpoints()).toEqual(kept.map(withService.service.endpoint));
    },
    chooseSize({ daily: 60_000, full: 600_000 }),
  );

  // C39
  it("attempts every device once before it retries any", async () => {
    const { clock, sender, confirmAndSend, getStats } = createTestBroadcasts(database);
    const hostile = Array.from({ length: 30 }, (_, index) => `hostile-${index}`);
    await addDevices(database, [...hostile, ...names(30)]);
    await addDevices(database, ["long-known"], LONG_KNOWN);
    sender.script = (endpoint) => {
      if (!endpoint.includes("hostile")) return accepted;
      // The driver's timeout, so that its first retry is due while others still wait for their first attempt.
      clock.forward(seconds(10));
      return { kind: "unknown", detail: "The push service took too long" };
    };
    const id = await confirmAndSend({ concurrency: 5 });
    expect(sender.endpoints.slice(0, 61)).toEqual(["long-known", ...hostile, ...names(30)].map(getEndpoint));
    expect(await getStats(id)).toMatchObject({ sent: 31, retrying: 30 });
  });
});
