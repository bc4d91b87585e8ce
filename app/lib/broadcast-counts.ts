interface Counted {
  readonly sent: number;
  readonly failed: number;
  /** Devices their push service reported as gone. */
  readonly gone: number;
  /** What the application's backend sent; undefined where it has no part. */
  readonly platform: { readonly successCount: number; readonly failureCount: number } | undefined;
}

/** Returns the specification's successCount and failureCount (section 3) of a broadcast, with the backend's part. */
export function getBroadcastCounts({ sent, failed, gone, platform }: Counted) {
  const { successCount, failureCount } = platform ?? { successCount: 0, failureCount: 0 };
  return { successCount: sent + successCount, failureCount: failed + gone + failureCount };
}
