import { z } from "zod";
import { maskSecrets } from "~/lib/mask-secrets";

const percentage = z
  .number()
  .overwrite((value) => Math.min(100, Math.max(0, value)))
  .meta({ description: "0 to 100." });
const amount = z.number().nonnegative();
const usage = z.object({ usagePercentage: percentage, totalBytes: amount, freeBytes: amount });

export const redisStatus = z.object({
  isConnected: z.boolean(),
  memoryUsageMB: amount,
  totalKeys: amount,
  activeMeetings: amount,
  connectionString: z
    .string()
    .overwrite((text) => maskSecrets(text))
    .meta({ description: "Without user and password." }),
});

export const meetingMetrics = z.object({
  concurrentMeetings: amount,
  activeBots: amount,
  totalRecordings: amount,
});

/** A part that may be missing or null. */
const optional = <Part extends z.ZodType>(part: Part, description: string) =>
  z.preprocess((value) => value ?? undefined, part.optional()).meta({ description });

/** Entity "System resources" of the specification (section 3), field by field. The API's document describes it. */
export const systemResources = z.object({
  diskUsage: usage,
  memory: usage,
  cpu: z.object({
    usagePercentage: percentage,
    coreCount: amount,
    coreUsages: z.record(z.string(), percentage).meta({ description: "By core name." }),
  }),
  redis: optional(redisStatus, "Omitted when Redis is not configured."),
  meetings: optional(meetingMetrics, "Omitted when meetings are not measured."),
  network: z.object({
    /** KB is 1,024 bytes, as MB is 1,048,576 (section 9). */
    inboundKBps: amount,
    outboundKBps: amount,
    totalBytesReceived: amount,
    totalBytesTransmitted: amount,
  }),
});

export type SystemResources = z.infer<typeof systemResources>;
export type Usage = z.infer<typeof usage>;
export type RedisStatus = z.infer<typeof redisStatus>;
export type MeetingMetrics = z.infer<typeof meetingMetrics>;
