import { z } from "zod";
import type { SystemResources } from "~/services/resources/system-resources";

/** The specification's entity (section 3), as the calls of the resource monitor answer it. */

const percentage = z.number().meta({ description: "0 to 100." });
const usage = z.object({ usagePercentage: percentage, totalBytes: z.number(), freeBytes: z.number() });

export const redisStatus = z.object({
  isConnected: z.boolean(),
  memoryUsageMB: z.number(),
  totalKeys: z.number(),
  activeMeetings: z.number(),
  connectionString: z.string().meta({ description: "Without user and password." }),
});

export const meetingMetrics = z.object({
  concurrentMeetings: z.number(),
  activeBots: z.number(),
  totalRecordings: z.number(),
});

export const systemResources = z.object({
  diskUsage: usage,
  memory: usage,
  cpu: z.object({
    usagePercentage: percentage,
    coreCount: z.number(),
    coreUsages: z.record(z.string(), percentage).meta({ description: "By the core's name." }),
  }),
  redis: redisStatus.optional().meta({ description: "Left out where no Redis is set up." }),
  meetings: meetingMetrics.optional().meta({ description: "Left out where nothing knows about meetings." }),
  network: z.object({
    inboundKBps: z.number(),
    outboundKBps: z.number(),
    totalBytesReceived: z.number(),
    totalBytesTransmitted: z.number(),
  }),
}) satisfies z.ZodType<SystemResources>;
