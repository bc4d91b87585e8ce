/**
 * The time of a log line in ISO 8601, as pino wants it. Written out once per millisecond: under load many lines share one.
 * @param now epoch milliseconds.
 */
export function createTimestamp(now: () => number): () => string {
  let at = NaN;
  let written = "";
  return () => {
    const time = now();
    if (time !== at) {
      at = time;
      written = `,"time":"${new Date(time).toISOString()}"`;
    }
    return written;
  };
}
