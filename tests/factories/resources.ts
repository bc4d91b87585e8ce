import type { SystemResources } from "~/services/resources/system-resources";

export interface Figures {
  memory?: number;
  cpu?: number;
  disk?: number;
  /** Whether Redis answers; undefined when it is not configured. */
  redis?: boolean;
  meetings?: number;
}

/** Makes a server's resources, healthy by default. */
export function createSystemResources({
  memory = 40,
  cpu = 20,
  disk = 30,
  redis,
  meetings,
}: Figures = {}): SystemResources {
  const usage = (usagePercentage: number) => ({
    usagePercentage,
    totalBytes: 100 * 1_073_741_824,
    freeBytes: (100 - usagePercentage) * 1_073_741_824,
  });
  return {
    diskUsage: usage(disk),
    memory: usage(memory),
    cpu: { usagePercentage: cpu, coreCount: 2, coreUsages: { "Core 1": cpu, "Core 2": cpu } },
    redis:
      redis === undefined
        ? undefined
        : {
            isConnected: redis,
            memoryUsageMB: 1.5,
            totalKeys: 1234,
            activeMeetings: meetings ?? 0,
            connectionString: "redis://***:***@127.0.0.1:6379",
          },
    meetings:
      meetings === undefined
        ? undefined
        : { concurrentMeetings: meetings, activeBots: 3, totalRecordings: 1204 },
    network: {
      inboundKBps: 12.34,
      outboundKBps: 0,
      totalBytesReceived: 5 * 1_048_576,
      totalBytesTransmitted: 1_048_576,
    },
  };
}
