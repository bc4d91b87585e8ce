/** Entity "System resources" of the specification (section 3), field by field. Percentages are 0 to 100. */
export interface SystemResources {
  readonly diskUsage: Usage;
  readonly memory: Usage;
  readonly cpu: {
    readonly usagePercentage: number;
    readonly coreCount: number;
    /** Percentage by core name, such as "0" or "Core 1". */
    readonly coreUsages: Readonly<Record<string, number>>;
  };
  /** Undefined when no Redis is configured. */
  readonly redis?: RedisStatus | undefined;
  /** Undefined when unknown. */
  readonly meetings?: MeetingMetrics | undefined;
  readonly network: {
    /** KB is 1,024 bytes, as MB is 1,048,576 (section 9). */
    readonly inboundKBps: number;
    readonly outboundKBps: number;
    readonly totalBytesReceived: number;
    readonly totalBytesTransmitted: number;
  };
}

export interface Usage {
  readonly usagePercentage: number;
  readonly totalBytes: number;
  readonly freeBytes: number;
}

export interface RedisStatus {
  readonly isConnected: boolean;
  readonly memoryUsageMB: number;
  readonly totalKeys: number;
  readonly activeMeetings: number;
  /** User and password masked. */
  readonly connectionString: string;
}

export interface MeetingMetrics {
  readonly concurrentMeetings: number;
  readonly activeBots: number;
  readonly totalRecordings: number;
}
