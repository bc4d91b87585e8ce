import { zonedMinute } from "~/lib/format-time";
import { getTimeZones } from "~/lib/zoned-time";
import { emailChanges, status } from "~/services/container.server";
import type { SignedIn } from "~/services/sessions/sessions.server";

export type AccountView = Awaited<ReturnType<typeof loadAccount>>;

/** Loads what a person can change of their own account. */
export async function loadAccount(operator: SignedIn) {
  const { email, fullName, role, timeZone, hasSecondFactor } = operator;
  const zones = getTimeZones();
  const now = Date.now();
  return {
    email,
    fullName,
    role,
    hasSecondFactor,
    pending: await emailChanges.getPending(operator),
    /** The server's settings name the address, so that it cannot be changed here. */
    isProtected: emailChanges.isProtected(email),
    hasOutbox: status.mailer === "outbox",
    timeZone,
    // A browser may have another name for a zone than the server lists.
    timeZones: zones.includes(timeZone) ? zones : [timeZone, ...zones],
    timeThere: zonedMinute(now, timeZone),
    now,
  };
}
