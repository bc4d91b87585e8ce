import type { Migration } from "kysely/migration";
import { runStatements } from "../run-statements";

/** Stores why a campaign or a broadcast waits, which several columns together implied. */
export const holds: Migration = {
  up: (db) =>
    runStatements(db, [
      `alter table campaigns add column hold text not null default ''`,
      `alter table campaigns add column hold_until bigint`,
      `alter table campaigns add column hold_detail text not null default ''`,
      `alter table campaigns add column answers text not null default ''`,
      `update campaigns set hold = case
        when state in ('preparing', 'sending') and waits_for in ('hold', 'schedule') then waits_for
        when state in ('preparing', 'sending') and problem <> '' then 'server'
        when state <> 'paused' then ''
        when waits_for in ('missed', 'refusals') then waits_for
        when problem = '' then 'operator'
        when waits_for in ('hold', 'schedule') then 'restored'
        else 'login' end`,
      `update campaigns set
        hold_until = case when hold in ('hold', 'schedule', 'server', 'missed')
          or (hold in ('operator', 'restored') and waits_for in ('hold', 'schedule')) then resume_at end,
        hold_detail = case when hold in ('server', 'refusals', 'login', 'restored') then problem else '' end`,
      `update campaigns set answers = ${toLetters("latest_answers")} where latest_answers <> 0`,
      ...["problem", "resume_at", "waits_for", "latest_answers"].map(
        (column) => `alter table campaigns drop column ${column}`,
      ),
      `alter table campaigns rename column answers to latest_answers`,

      `alter table broadcasts rename column stopped_by to hold`,
      `alter table broadcasts rename column problem to hold_detail`,
      `update broadcasts set hold = case when hold_detail = '' then 'operator' else 'restored' end
        where state = 'paused' and hold = ''`,
    ]),
};

/** Returns an expression for the 25 bits of a number, the newest and lowest last: R for 1, A for 0. */
function toLetters(column: string): string {
  const bits = Array.from({ length: 25 }, (_, index) => 2 ** (24 - index));
  return bits.map((bit) => `case when (${column} & ${bit}) = 0 then 'A' else 'R' end`).join(" || ");
}
