import type { Database } from "~/db/database.server";
import type { Environment } from "~/env.server";
import { createSessionCookie } from "~/services/access/session-storage.server";
import { getOrigin } from "~/services/composition/foundation.server";
import type { Clock } from "~/services/service-deps";
import { collectBackupFacts } from "./file-facts.server";

/** An account that may log in. */
export interface AccountFacts {
  readonly email: string;
  readonly role: string;
  readonly hasSecondFactor: boolean;
}

/** The facts that quick checks look at. */
export type QuickFacts = Awaited<ReturnType<typeof collectQuickFacts>>;

interface QuickFactsOptions {
  readonly clock: Clock;
  /** Undefined when there is no database yet, or none that answers. */
  readonly accounts: readonly AccountFacts[] | undefined;
  /** Whether there may be one: false before the first start. */
  readonly hasDatabase: boolean;
  /** The folder of the backups; undefined: where the newest one went. */
  readonly backupFolder: string | undefined;
}

/** Collects what takes no time: the settings, and a few files of this machine. It waits for no other system. */
export async function collectQuickFacts(
  environment: Environment,
  { clock, accounts, hasDatabase, backupFolder }: QuickFactsOptions,
) {
  const origin = getOrigin(environment);
  const secure = origin.startsWith("https:");
  return {
    now: clock(),
    settings: environment,
    /** The origin that the product uses for its links. */
    origin,
    accounts,
    hasDatabase,
    backups: await collectBackupFacts(backupFolder, environment.DATA_DIR),
    /** The Set-Cookie header of a login. */
    sessionCookie: await createSessionCookie({ secret: "of nobody", secure }).serialize("of nobody"),
  };
}

/** Lists all accounts by their addresses. */
export async function listAccounts({ read }: Pick<Database, "read">): Promise<AccountFacts[]> {
  const rows = await read
    .selectFrom("accounts")
    .leftJoin("second_factors", "second_factors.account_id", "accounts.id")
    .select(["email", "role", "confirmed_at"])
    .orderBy("email")
    .execute();
  return rows.map(({ email, role, confirmed_at }) => ({
    email,
    role,
    hasSecondFactor: confirmed_at !== null,
  }));
}
