import { createHmac, timingSafeEqual } from "node:crypto";
import { minutes } from "~/lib/durations";

/** How far a sender's clock may be from ours, and how long a signature can be used again. */
const TOLERANCE_MS = minutes(5);

/**
 * Whether a body was signed by who knows the secret: `t=<unix seconds>,v1=<hex HMAC-SHA-256 of "t.body">`. More than one
 * `v1` may stand there, as while a sender changes its secret; one that fits is enough.
 */
export function isSigned(
  { header, body }: { header: string; body: Uint8Array },
  secret: string,
  now: number,
): boolean {
  const parts = header.split(",").map((part) => part.trim());
  const time = /^t=(\d{1,12})$/.exec(parts[0] ?? "")?.[1];
  if (time === undefined || Math.abs(now - Number(time) * 1000) > TOLERANCE_MS) return false;
  const expected = createHmac("sha256", secret).update(`${time}.`).update(body).digest();
  return parts.slice(1).some((part) => {
    const code = /^v1=([0-9a-f]{64})$/i.exec(part)?.[1];
    return code !== undefined && timingSafeEqual(Buffer.from(code, "hex"), expected);
  });
}
