import { alerts, areIncidentsEmailed, status } from "~/services/container.server";
import type { SignedIn } from "~/services/sessions/sessions.server";

/** Campaigns that the screen lists as told and not opened. */
const MAX_UNOPENED = 3;

export type AlertsView = Awaited<ReturnType<typeof loadAlerts>>;

/** Loads what a person is told about, and what became of the last email that told them. */
export async function loadAlerts(operator: SignedIn) {
  const { unopened, ...view } = await alerts.getView(operator);
  const campaigns = unopened.filter(({ event }) => event === "campaign");
  return {
    ...view,
    unopened: {
      inquiry: unopened.filter(({ event }) => event === "inquiry"),
      campaign: campaigns.slice(0, MAX_UNOPENED),
      incident: unopened.filter(({ event }) => event === "incident"),
    },
    moreUnopened: Math.max(0, campaigns.length - MAX_UNOPENED),
    email: operator.email,
    timeZone: operator.timeZone,
    areIncidentsEmailed,
    isOutbox: status.mailer === "outbox",
    now: Date.now(),
  };
}
