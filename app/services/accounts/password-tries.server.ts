import type { Database, Write } from "~/db/database.server";
import { minutes } from "~/lib/durations";
import { limitKey } from "~/lib/network-address";
import type { Attempt } from "~/services/attempts/attempts.server";
import { forgetAttempts, giveBackAttempt, takeAttempt } from "~/services/attempts/attempts.server";
import type { Provenance } from "~/services/audit/audit.server";
import { recordAudit } from "~/services/audit/audit.server";
import type { Clock } from "~/services/clock";
import type { NewId } from "~/services/ids.server";

/** Bad tries on one account from one address; another address is not locked out by them (C3, ASVS 6.1.1). */
const PER_ACCOUNT = { allowed: 5, windowMs: minutes(15) };
/** Bad tries from one address on whatever accounts. */
const PER_ADDRESS = { allowed: 50, windowMs: minutes(15) };

/** Counts a try of somebody at an account's password. Reaching a limit is written down, once per window (C36). */
export function takePasswordTry(
  { database, clock, newId }: { database: Database; clock: Clock; newId: NewId },
  { email, actor }: { email: string; actor: string },
  { address, network, requestId }: Provenance & { readonly address: string },
): Promise<Attempt> {
  const limits = { [networkKey(address)]: PER_ADDRESS, [accountKey(email, address)]: PER_ACCOUNT };
  return database.write(async (trx) => {
    const attempt = await takeAttempt(trx, limits, clock());
    if (!attempt.ok && attempt.isFirst) {
      await recordAudit(trx, {
        ...{ id: newId(), at: clock(), actor, action: "throttle-password", subject: email },
        ...{ outcome: "refused", network, requestId },
      });
    }
    return attempt;
  });
}

/** The password was right: what counted against the account is forgotten, and this try counts for nothing. */
export async function forgivePasswordTry(trx: Write, email: string, address: string): Promise<void> {
  await forgetAttempts(trx, accountKey(email, address));
  await giveBackAttempt(trx, networkKey(address));
}

function networkKey(address: string): string {
  return `login:${limitKey(address)}`;
}

function accountKey(email: string, address: string): string {
  return `${networkKey(address)}:${email}`;
}
