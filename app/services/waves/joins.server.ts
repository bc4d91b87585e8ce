import type { Write } from "~/db/database.server";
import { hasRows } from "~/db/rows";
import { emailKey } from "~/lib/email-address";
import { noteConfirmation } from "~/services/people/people-rows.server";
import type { ServiceDeps } from "~/services/service-deps";
import { findByCode, getInviteState, type FoundInvitation, type InviteSettings } from "./invite-links.server";
import type { InviteTokens } from "./invite-tokens.server";

/** Somebody who joined, as the application knows them: by the code they came with, by their address, or by both. */
export interface Join {
  readonly code?: string | undefined;
  /** Address of the account; with a code it may be another than the invited one. */
  readonly email?: string | undefined;
}

/**
 * - unknown_code: it is forged, or the person was erased.
 * - revoked, expired: the link does not let anybody in any more.
 * - already_joined: another account joined by this code.
 * - other_address: the invitation is bound to its address, and the account has another one.
 * - address_needed: the invitation is bound to its address, and the account's is not given.
 * - unknown_address: nobody has this address; no person is created.
 */
export type JoinProblem =
  | "unknown_code"
  | "revoked"
  | "expired"
  | "already_joined"
  | "other_address"
  | "address_needed"
  | "unknown_address";

/** `isNew`: false when it was reported before. `email`: of the person; `wave`: null without an invitation. */
export type JoinResult =
  | { ok: true; isNew: boolean; email: string; wave: number | null; joinedAt: number }
  | { ok: false; error: JoinProblem };

/** Reports per write: some ten milliseconds of the single writer. */
const CHUNK = 50;

interface JoinsDeps extends ServiceDeps {
  readonly tokens: InviteTokens;
  readonly settings: InviteSettings;
}

/** Records who joined the application. */
export function createJoins(deps: JoinsDeps) {
  const { database, clock, newId, tokens, settings } = deps;

  return {
    /** Records who joined, in pieces. Idempotent. @returns a result for each, in their order. */
    async record(joins: readonly Join[]): Promise<JoinResult[]> {
      const results: JoinResult[] = [];
      for (let at = 0; at < joins.length; at += CHUNK) {
        const piece = joins.slice(at, at + CHUNK);
        results.push(
          ...(await database.write(async (trx) => {
            const ofPiece: JoinResult[] = [];
            for (const join of piece) ofPiece.push(await record(trx, join));
            return ofPiece;
          })),
        );
      }
      return results;
    },
  };

  function record(trx: Write, { code, email }: Join): Promise<JoinResult> {
    return code === undefined ? recordByAddress(trx, email ?? "") : recordByCode(trx, { code, email });
  }

  async function recordByCode(
    trx: Write,
    { code, email }: { readonly code: string; readonly email: string | undefined },
  ): Promise<JoinResult> {
    const link = tokens.readToken(code);
    if (link) await lock(trx, "id", link.id);
    const found = await findByCode(trx, tokens, code);
    const account = email === undefined ? undefined : emailKey(email);
    const state = getInviteState(found, settings, clock());
    if (!found || state === "unknown") return { ok: false, error: "unknown_code" };
    if (state === "joined") {
      const isSame = account === undefined || (await isAccount(trx, found, account));
      return isSame ? toKnown(found) : { ok: false, error: "already_joined" };
    }
    if (state !== "valid") return { ok: false, error: state };
    const isInvited = account === found.email_key;
    if (settings.isBound && !isInvited) {
      return { ok: false, error: account === undefined ? "address_needed" : "other_address" };
    }
    const now = clock();
    await trx
      .updateTable("wave_invitations")
      .set({
        state: "joined",
        joined_at: now,
        joined_email: isInvited || account === undefined ? "" : account,
      })
      .where("id", "=", found.id)
      .execute();
    if (isInvited) await confirm(trx, found, now);
    return { ok: true, isNew: true, email: found.email, wave: found.wave, joinedAt: now };
  }

  /** Whether somebody joined with this account: that of the person, whose address may have been corrected since. */
  async function isAccount(
    trx: Write,
    { person_id, email_key, joined_email, joined_at }: FoundInvitation,
    account: string,
  ): Promise<boolean> {
    if (joined_email !== "") return account === joined_email;
    if (account === email_key) return true;
    const former = trx
      .selectFrom("person_corrections")
      .where("person_id", "=", person_id)
      .where("former_key", "=", account)
      .where("at", ">=", joined_at ?? 0)
      .where("undone_at", "is", null);
    return hasRows(former);
  }

  async function recordByAddress(trx: Write, email: string): Promise<JoinResult> {
    const person = await trx
      .selectFrom("people")
      .select(["id", "email", "email_key", "confirmed_at"])
      .where("email_key", "=", emailKey(email))
      .forKeyShare()
      .executeTakeFirst();
    if (!person) return { ok: false, error: "unknown_address" };
    const now = clock();
    const added = await trx
      .insertInto("wave_invitations")
      .values({ id: newId(), person_id: person.id, campaign_id: null, state: "joined", joined_at: now })
      .onConflict((conflict) => conflict.column("person_id").doNothing())
      .returning("id")
      .executeTakeFirst();
    if (added) return { ok: true, isNew: true, email: person.email, wave: null, joinedAt: now };
    await lock(trx, "person_id", person.id);
    const known = await trx
      .selectFrom("wave_invitations")
      .leftJoin("campaigns", "campaigns.id", "wave_invitations.campaign_id")
      .select(["wave_invitations.id", "wave_invitations.state", "campaign_id", "joined_at", "wave"])
      .where("person_id", "=", person.id)
      .executeTakeFirst();
    // Its wave returned the reservation between the two statements.
    if (!known) return recordByAddress(trx, email);
    if (known.state === "joined") return toKnown({ ...known, email: person.email });
    // Who was reserved and not emailed joined without their wave, which skips them.
    const isInvited = known.state !== "reserved";
    await trx
      .updateTable("wave_invitations")
      .set({ state: "joined", joined_at: now, campaign_id: isInvited ? known.campaign_id : null })
      .where("id", "=", known.id)
      .execute();
    if (known.state === "invited") await confirm(trx, person, now);
    return { ok: true, isNew: true, email: person.email, wave: isInvited ? known.wave : null, joinedAt: now };
  }

  /** Who joins with the invited address has read an email that went there. */
  async function confirm(
    trx: Write,
    { email_key, confirmed_at }: { readonly email_key: string; readonly confirmed_at: number | null },
    now: number,
  ): Promise<void> {
    if (confirmed_at === null) await noteConfirmation(trx, email_key, now);
  }
}

function toKnown(known: { email: string; wave: number | null; joined_at: number | null }): JoinResult {
  return { ok: true, isNew: false, email: known.email, wave: known.wave, joinedAt: known.joined_at ?? 0 };
}

/** Locks an invitation until the transaction ends, so that two reports of it see each other's. */
async function lock(trx: Write, by: "id" | "person_id", value: string): Promise<void> {
  await trx.selectFrom("wave_invitations").select("id").where(by, "=", value).forUpdate().execute();
}
