import { sql, type RawBuilder } from "kysely";

/**
 * Returns the condition on a row of `accounts` that its owner may open the pages which alerts lead to, as
 * `access.requireAccount` decides: they chose their own password, and have a second factor where one is required.
 * Every role sees these pages.
 */
export function mayBeTold(requiresSecondFactor: boolean): RawBuilder<boolean> {
  if (!requiresSecondFactor) return sql<boolean>`accounts.password_is_temporary = 0`;
  return sql<boolean>`(accounts.password_is_temporary = 0 and exists (
    select 1 from second_factors
    where second_factors.account_id = accounts.id and second_factors.confirmed_at is not null
  ))`;
}
