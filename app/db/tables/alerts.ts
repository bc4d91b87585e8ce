import type { AlertChoice, AlertEvent } from "~/lib/alert-choices";
import type { EpochMs } from "./columns";

/** What an account is told about by email. Without a row: nothing. */
export interface AlertChoicesTable {
  account_id: string;
  inquiry: AlertChoice;
  campaign: AlertChoice;
  incident: AlertChoice;
  summary: Exclude<AlertChoice, "at-once">;
  /** Hour of the daily email in the account's time zone, 0 to 23. */
  hour: number;
  /** Day of that zone whose daily email was the last, or would have been: 2026-11-28. */
  last_day: string;
}

/** Events that an account is to be told about, or was told about at once and has not looked at since: a row for each page. */
export interface AlertsTable {
  account_id: string;
  event: AlertEvent;
  /** Id of the campaign; empty where the event has one page. */
  subject: string;
  /** Number of events since the last daily email about them or look at their page: an email at once leaves it. */
  count: number;
  /** Time of the first of them. */
  since: EpochMs;
  last_at: EpochMs;
  /** Null: still to be told. */
  told_at: EpochMs | null;
}

export interface AlertTables {
  alert_choices: AlertChoicesTable;
  alerts: AlertsTable;
}
