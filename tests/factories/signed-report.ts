import { createHmac } from "node:crypto";

/** The X-Signature of a report, as docs/operations.md says. @param at epoch milliseconds. */
export function signReport(body: string | Buffer | Buffer, secret: string, at = Date.now()): string {
  const time = Math.floor(at / 1000);
  return `t=${time},v1=${createHmac("sha256", secret).update(`${time}.`).update(body).digest("hex")}`;
}
