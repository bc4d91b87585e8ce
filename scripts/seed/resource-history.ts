import { days, hours, minutes, seconds } from "~/lib/durations";
import type { Random } from "~/lib/random";
import { mebibytes } from "~/lib/sizes";
import { createHistory } from "~/services/resources/history.server";
import { createIncidents } from "~/services/resources/incidents.server";
import type { SystemResources } from "~/services/resources/system-resources";
import { getHourlyTraffic, type PastTools } from "./past";

/** Seeded incidents: how long ago they began, how long they lasted, and the resource. */
const INCIDENTS: readonly { ago: number; lasted: number; cpu?: number; memory?: number }[] = [
  { ago: days(23) + hours(5), lasted: minutes(50), memory: 93 },
  { ago: days(11) + hours(2), lasted: hours(2), cpu: 97 },
  { ago: days(4) + hours(9), lasted: minutes(35), memory: 91 },
  { ago: hours(7), lasted: minutes(20), cpu: 95 },
];

/** Writes 30 days of an instance's resources, the last of them by the minute, and the incidents in them. */
export async function writeResourceHistory(tools: PastTools): Promise<void> {
  const { random, now, moveTo } = tools;
  const history = createHistory(tools);
  const incidents = createIncidents({ ...tools, isEmailed: false });
  for (let at = now - days(30) + minutes(15); at < now - minutes(1);) {
    moveTo(at);
    const resources = createResources(random, at, now);
    await history.add(resources, at);
    // An incident begins and ends only after several measurements.
    for (const after of [0, seconds(31), seconds(62)]) await incidents.observe(resources, at + after);
    at += at < now - days(1) ? minutes(15) : minutes(1);
  }
  await history.flush();
  moveTo(now);
  await history.sweep();
}

function createResources(random: Random, at: number, now: number): SystemResources {
  const busy = getHourlyTraffic(new Date(at).getUTCHours()) / 11;
  const incident = INCIDENTS.find(({ ago, lasted }) => at >= now - ago && at < now - ago + lasted);
  const noise = (by: number) => (random() - 0.5) * by;
  const usage = (usagePercentage: number, total: number) => ({
    usagePercentage,
    totalBytes: total,
    freeBytes: Math.round((total * (100 - usagePercentage)) / 100),
  });
  const cpu = (incident?.cpu ?? 6 + busy * 34) + noise(3);
  const memory = (incident?.memory ?? 41 + busy * 14) + noise(2);
  return {
    diskUsage: usage(38 + ((at - now) / days(30) + 1) * 9, mebibytes(80 * 1024)),
    memory: usage(memory, mebibytes(8 * 1024)),
    cpu: { usagePercentage: cpu, coreCount: 2, coreUsages: { "Core 1": cpu, "Core 2": cpu } },
    network: {
      inboundKBps: 12 + busy * 140 + noise(10),
      outboundKBps: 40 + busy * 620 + noise(40),
      totalBytesReceived: 0,
      totalBytesTransmitted: 0,
    },
  };
}
