import type { Write } from "~/db/database.server";
import { hours, minutes } from "~/lib/durations";
import { limitKey } from "~/lib/network-address";
import type { Attempt } from "~/services/attempts/attempts.server";
import { forgetAttempts, giveBackAttempt, takeAttempt } from "~/services/attempts/attempts.server";

/** Wrong codes for one account from one network, and from one network for whatever accounts: as of passwords (C3). */
const PER_NETWORK_AND_ACCOUNT = { allowed: 5, windowMs: minutes(15) };
const PER_NETWORK = { allowed: 50, windowMs: minutes(15) };
/**
 * Wrong authentication codes for one account from everywhere. Three of a million are right at any time, so this leaves
 * somebody who knows the password and has many networks a chance of 2 % in a year. It shuts nobody out: recovery codes,
 * which cannot be guessed, are not counted here.
 */
const PER_ACCOUNT = { allowed: 20, windowMs: hours(24) };

export interface CodeTry {
  readonly accountId: string;
  /** The full address. */
  readonly address: string;
  readonly isRecoveryCode: boolean;
}

/** Counts a try. One that its own network's limit refuses is not counted against the account: it was not looked at. */
export async function takeCodeTry(trx: Write, codeTry: CodeTry, now: number): Promise<Attempt> {
  const near = await takeAttempt(
    trx,
    { [nearKey(codeTry)]: PER_NETWORK_AND_ACCOUNT, [networkKey(codeTry)]: PER_NETWORK },
    now,
  );
  if (!near.ok || codeTry.isRecoveryCode) return near;
  return takeAttempt(trx, { [accountKey(codeTry)]: PER_ACCOUNT }, now);
}

/** The code was right: this try counts for nothing. What others guessed at the account stays counted. */
export async function forgiveCodeTry(trx: Write, codeTry: CodeTry): Promise<void> {
  await forgetAttempts(trx, nearKey(codeTry));
  await giveBackAttempt(trx, networkKey(codeTry));
  if (!codeTry.isRecoveryCode) await giveBackAttempt(trx, accountKey(codeTry));
}

const networkKey = ({ address }: CodeTry) => `code:${limitKey(address)}`;
const nearKey = (codeTry: CodeTry) => `${networkKey(codeTry)}:${codeTry.accountId}`;
const accountKey = ({ accountId }: CodeTry) => `code-of:${accountId}`;
