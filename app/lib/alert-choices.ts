/**
 * What an operator can be told about by email, in the order of their screen.
 * - inquiry: a new inquiry was accepted.
 * - campaign: a campaign was finished, or paused by itself.
 * - incident: an incident of the server's resources began or ended.
 */
export const ALERT_EVENTS = ["inquiry", "campaign", "incident"] as const;
export type AlertEvent = (typeof ALERT_EVENTS)[number];

export const ALERT_CHOICES = ["off", "at-once", "daily"] as const;
export type AlertChoice = (typeof ALERT_CHOICES)[number];

/** Hour of the daily email for those who have not chosen one. */
export const DEFAULT_HOUR = 8;
