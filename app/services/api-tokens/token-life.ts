import type { Selectable } from "kysely";
import type { AccountsTable } from "~/db/tables/accounts";
import type { ApiTokensTable } from "~/db/tables/api-tokens";
import { days } from "~/lib/durations";

/** How long a token can be asked to live. */
export const LIVES = ["30-days", "90-days", "1-year", "never"] as const;
export type Life = (typeof LIVES)[number];
export const DEFAULT_LIFE: Life = "90-days";

const LIFE_MS = { "30-days": days(30), "90-days": days(90), "1-year": days(365), never: undefined };

/** When a token made now is over; undefined: never. */
export function expiryOf(life: Life, now: number): number | undefined {
  const ms = LIFE_MS[life];
  return ms === undefined ? undefined : now + ms;
}

/** "demoted": its account has a lesser role than when it was made. */
export type TokenState = "active" | "expired" | "revoked" | "demoted";

/** Whether a token works. Of several reasons why it does not, the one somebody chose comes first. */
export function tokenStateOf(
  token: Pick<Selectable<ApiTokensTable>, "revoked_at" | "expires_at" | "account_role">,
  account: Pick<Selectable<AccountsTable>, "role">,
  now: number,
): TokenState {
  if (token.revoked_at !== null) return "revoked";
  if (token.account_role === "superadmin" && account.role !== "superadmin") return "demoted";
  if (token.expires_at !== null && token.expires_at <= now) return "expired";
  return "active";
}
