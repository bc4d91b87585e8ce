import { z } from "zod";
import { maskSecrets } from "~/lib/mask-secrets";

const percentage = z.number().transform((value) => Math.min(100, Math.max(0, value)));
const amount = z.number().nonnegative();
const usage = z.object({ usagePercentage: percentage, totalBytes: amount, freeBytes: amount });

const redisStatus = z.object({
  isConnected: z.boolean(),
  memoryUsageMB: amount,
  totalKeys: amount,
  activeMeetings: amount,
  /** User and password masked. */
  connectionString: z.string().transform((text) => maskSecrets(text)),
});

const meetingMetrics = z.object({
  concurrentMeetings: amount,
  activeBots: amount,
  totalRecordings: amount,
});

/** Parses a part that may be missing or null. */
const optional = <Part>(schema: z.ZodType<Part>) =>
  schema
    .nullable()
    .transform((part) => part ?? undefined)
    .optional();

/** Entity "System resources" of the specification (section 3), field by field. Percentages are 0 to 100. */
export const systemResources = z.object({
  diskUsage: usage,
  memory: usage,
  cpu: z.object({
    usagePercentage: percentage,
    coreCount: amount,
    /** Percentage by core name, such as "0" or "Core 1". */
    coreUsages: z.record(z.string(), percentage),
  }),
  /** Undefined when no Redis is configured. */
  redis: optional(redisStatus),
  /** Undefined when unknown. */
  meetings: optional(meetingMetrics),
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
