import { createHmac, timingSafeEqual } from "node:crypto";
import { CLOCK_TOLERANCE_MS } from "~/services/clock";

/**
 * Whether a body was signed by who knows the secret: `t=<unix seconds>,v1=<hex HMAC-SHA-256 of "t.body">`. More than one
 * `v1` may stand there, as while a sender changes its secret; one that fits is enough.
 * The tolerance is also how long a signature can be used again.
 */
export function isSigned(
  { header, body }: { header: string; body: Uint8Array },
  secret: string,
  now: number,
): boolean {
  const parts = header.split(",").map((part) => part.trim());
  const time = /^t=(\d{1,12})$/.exec(parts[0] ?? "")?.[1];
  if (time === undefined || Math.abs(now - Number(time) * 1000) > CLOCK_TOLERANCE_MS) return false;
  const expected = createHmac("sha256", secret).update(`${time}.`).update(body).digest();
  return parts.slice(1).some((part) => {
    const code = /^v1=([0-9a-f]{64})$/i.exec(part)?.[1];
    return code !== undefined && timingSafeEqual(Buffer.from(code, "hex"), expected);
  });
}
