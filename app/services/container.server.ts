import { parseBearerToken } from "~/api/problem.server";
import { UnusableDatabaseError } from "~/db/unusable-database";
import { EnvironmentError } from "~/env.server";
import { serverBridge } from "~/http/request-context.server";
import { paths } from "~/paths";
import { createSessionCheck } from "./access/session-check.server";
import type { FirstSuperadmin } from "./accounts/first-superadmin.server";
import { startWork } from "./composition/background-work.server";
import { composeServices } from "./composition/services.server";

const bridge = serverBridge();
/**
 * The services that routes use. remix-serve imports the build before it listens, so nothing is served before the
 * database is migrated.
 */
const services = await composeServices(bridge).catch(stopBoot);

export const { origin, brand, accounts, userManagement, passwordPolicy, appearanceCookie } = services;
export const { access, authenticator, pendingLoginStorage, sessions, visits, activity, logs } = services;
export const { secondFactor, invitations, emailChanges } = services;
export const { alerts, areIncidentsEmailed } = services;
export const { signups, quarantine, confirmations, peopleList, submissions, deletions, people } = services;
export const { inquiries, sources, funnel, asksHeardFrom } = services;
/** What a person's page shows and changes; it stands in the list of people and in each table. */
export const personServices = {
  automaticEmails: services.automaticEmails,
  automaticRules: services.automaticRules,
  corrections: services.corrections,
  inquiries: services.inquiries,
  mirrorInUse: services.mirrorInUse,
  notes: services.notes,
  people: services.people,
  waves: services.waves,
};
export const { imports } = services;
export const { apiTokens, sendApiEmail, apiBroadcasts, apiPeople, signupFeed } = services;
export const { savedViews } = services;
export const { outreach, templates, emailPreviews, sendTestEmail, unsubscribing, outbox, status } = services;
export const { waves, wavePlans, campaignFields } = services;
export const { automaticRules, automaticEmails, getMailProblem, getAllowance } = services;
export const { suppressions, bounces, mirrors, mirrorInUse } = services;
export const { resources, measuredAs, isMeasuredByPlatform, broadcasts, sendTestPush } = services;
export const {
  devices,
  applicationDevices,
  areDevicesElsewhere,
  visitorIdentity,
  signInVisitor,
  visitorCookie,
} = services;
export const { setup } = services;
export const { tenants } = services.platform;
export const { settings: pushSettings } = services.pushSender;

export const { checkReadiness } = bridge;

/** Returns why the newest check of readiness failed, as /readyz says it; undefined when it succeeded. */
export function getNotReadyReason(): string | undefined {
  const readiness = bridge.readiness();
  return readiness.ok ? undefined : readiness.reason;
}

/**
 * Prints how to log in first, gives the guard its metrics and its checks of sessions and tokens, and starts the background
 * work. Called once, by entry.server.
 */
export function startBackgroundWork(): void {
  announce();
  bridge.beforeScrape(services.refreshMetrics);
  bridge.setCredentialChecks({
    isSessionAlive: createSessionCheck({
      cookie: services.sessionCookie,
      sessionStorage: services.sessionStorage,
      clock: Date.now,
    }),
    isTokenActive: (authorization) => apiTokens.isActive(parseBearerToken(authorization)),
  });
  startWork(services, bridge);
}

function announce(): void {
  const { superadmin } = services;
  if (superadmin.kind === "ready") return;
  if (superadmin.kind === "ignored") {
    const { email, reason } = superadmin;
    const why = reason === "chosen" ? "its owner chose a password" : "the password was reset";
    process.stdout.write(
      `\n  SUPERADMIN_PASSWORD is ignored: ${why} (${email}).\n  Lost it? npm run accounts -- reset ${email}\n\n`,
    );
    return;
  }
  // The temporary password goes to the terminal and not to the log: logs are kept and shipped.
  process.stdout.write(
    `\n  ${brand.name} back office: ${origin}${paths.login}\n  Email:    ${superadmin.email}\n  ${passwordLine(superadmin)}\n\n`,
  );
}

function passwordLine(superadmin: Exclude<FirstSuperadmin, { kind: "ready" | "ignored" }>): string {
  if (superadmin.kind === "waiting") {
    return `The password was printed by an earlier start and works until you choose your own.\n  Lost it? npm run accounts -- reset ${superadmin.email}`;
  }
  const password = superadmin.kind === "made" ? superadmin.temporaryPassword : undefined;
  return password === undefined
    ? "Password: (from SUPERADMIN_PASSWORD)"
    : `Password: ${password}\n  Shown once. It works until you choose your own.`;
}

/** Ends a boot that cannot succeed with a message for the operator at the terminal. */
function stopBoot(error: unknown): never {
  const isForPeople = error instanceof EnvironmentError || error instanceof UnusableDatabaseError;
  if (isForPeople) process.stderr.write(`${error.message}\n`);
  else bridge.logger.fatal({ err: error }, "could not start");
  process.exit(1);
}
