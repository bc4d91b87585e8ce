import type { Database, Write } from "~/db/database.server";
import { isUuid } from "~/lib/uuid";
import type { AuditAction, Provenance } from "~/services/audit/audit.server";
import { createAudit } from "~/services/audit/audit.server";
import type { Clock } from "~/services/clock";
import type { NewId } from "~/services/ids.server";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { getProtection } from "./account-state";
import type { Protection } from "./account-state";

/** The requester is not a superadmin (any more). */
export type Unauthorized = { ok: false; error: "unauthorized" };
export type Refused = Unauthorized | { ok: false; error: "unknown-account" | Protection };

interface Target {
  readonly id: string;
  readonly email: string;
  readonly full_name: string;
}

interface Deps {
  readonly database: Database;
  readonly clock: Clock;
  readonly newId: NewId;
  /** Addresses in lower case. */
  readonly protectedAccounts: readonly string[];
}
/** A superadmin, or a token in their name. */
export type Requester = Pick<SignedIn, "accountId" | "email">;
type AuditedAction = { readonly action: AuditAction; readonly who: Requester; readonly origin: Provenance };
/** Records the action in the action's own transaction. */
type Audit = (subject: string, outcome: "ok" | "refused") => Promise<void>;

/**
 * Runs `work` if the person is a superadmin now. Locks the superadmins' rows until the end, always in the same
 * order, so that superadmins' actions run one after the other and nobody is demoted in between.
 * @param subject subject of the audit entry that records a refusal.
 */
export function asSuperadmin<T>(
  deps: Deps,
  { action, who, origin }: AuditedAction,
  subject: (trx: Write) => Promise<string>,
  work: (trx: Write, audit: Audit) => Promise<T>,
): Promise<T | Unauthorized> {
  const { database } = deps;
  return database.write(async (trx): Promise<T | Unauthorized> => {
    const audit: Audit = (on, outcome) =>
      createAudit(deps)(trx, { ...origin, by: who.email }, { action, subject: on, outcome });
    const superadmins = await trx
      .selectFrom("accounts")
      .select("id")
      .where("role", "=", "superadmin")
      .orderBy("id")
      .$if(database.dialect === "postgres", (query) => query.forUpdate())
      .execute();
    if (superadmins.some(({ id }) => id === who.accountId)) return work(trx, audit);
    await audit(await subject(trx), "refused");
    return { ok: false, error: "unauthorized" };
  });
}

/** Like `asSuperadmin`, for one account that is not protected; its row is locked until the end too. */
export function asSuperadminOn<T>(
  deps: Deps,
  audited: AuditedAction,
  accountId: string,
  work: (trx: Write, account: Target) => Promise<T>,
): Promise<T | Refused> {
  const find = async (trx: Write) =>
    isUuid(accountId)
      ? trx
          .selectFrom("accounts")
          .select(["id", "email", "full_name", "role"])
          .where("id", "=", accountId)
          .$if(deps.database.dialect === "postgres", (query) => query.forUpdate())
          .executeTakeFirst()
      : undefined;
  const subject = async (trx: Write) => (await find(trx))?.email ?? "an unknown account";

  return asSuperadmin<T | Refused>(deps, audited, subject, async (trx, audit) => {
    const account = await find(trx);
    if (!account) return { ok: false, error: "unknown-account" };
    const protection = getProtection(account, audited.who, deps.protectedAccounts);
    await audit(account.email, protection ? "refused" : "ok");
    return protection ? { ok: false, error: protection } : work(trx, account);
  });
}
