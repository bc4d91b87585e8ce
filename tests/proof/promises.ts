import { row, type Row } from "./rows";

export const promises: readonly Row[] = [
  {
    ...row(
      "From a fresh clone, with Node 20 or newer and npm: npm start serves, npm test runs everything",
      "scripts/prepare.test.ts",
    ),
    notHeld: "a clone is not installed by a test, which would need a registry; its steps are",
  },
  row(
    "With nothing configured every screen works",
    "tests/server/specified-routes.test.ts",
    "tests/server/guard-sweep.test.ts (C9)",
  ),
  row(
    "A service that is only partly configured stops the start with the variable's name",
    "tests/server/platform.test.ts",
    "tests/server/google.test.ts",
  ),
  row("Every page and form works without JavaScript", "tests/e2e/story.spec.ts", "tests/e2e/forms.spec.ts"),
  row(
    "What is acknowledged is on disk",
    "tests/contracts/database.test.ts (R2)",
    "tests/faults/signup-kills.test.ts (R1)",
  ),
  row(
    "Several instances share one PostgreSQL",
    "tests/faults/two-instances.test.ts (R22)",
    "tests/server/login.test.ts (C3)",
  ),
  row(
    "Each driver keeps its port's contract",
    "tests/contracts/smtp-mailer.test.ts",
    "tests/contracts/outbox-mailer.test.ts",
    "tests/contracts/gmail-mailer.test.ts",
    "tests/contracts/push-sender.test.ts (R10)",
    "tests/contracts/fcm-sender.test.ts (R10)",
    "tests/contracts/mirrors.test.ts",
    "tests/contracts/log-store.test.ts",
    "tests/contracts/tenants.test.ts",
    "tests/contracts/platform.test.ts",
  ),
  row(
    "One guard for the three forms: size limits, honeypot, times, rate limits, stored once",
    "tests/contracts/signups.test.ts (C27)",
    "tests/server/input.test.ts (C25)",
    "tests/server/input.test.ts (C26)",
  ),
  row("Consent is recorded with each signup", "tests/contracts/signups.test.ts"),
  row(
    "Every email has a one-click unsubscribe link, and people who unsubscribed get no more",
    "app/services/mail/compose.test.ts",
    "tests/contracts/outreach-unsubscribe.test.ts (C20)",
    "tests/e2e/story.spec.ts",
  ),
  row(
    "Tables: search, filters, pages, and exports of exactly the filtered rows",
    "tests/contracts/submission-tables.test.ts (R27)",
    "tests/server/submissions.test.ts (C21)",
  ),
  row(
    "Every screen can be used by keyboard alone, and the shortcuts can be turned off",
    "tests/e2e/shell.spec.ts",
    "tests/e2e/keyboard.spec.ts",
  ),
  row(
    "Outreach: each recipient's delivery is stored, and the totals add up through outages, crashes and instances",
    "tests/faults/outreach-kills.test.ts (R3)",
    "tests/e2e/mail-server-faults.spec.ts (R8)",
  ),
  row(
    "Broadcasts: a row for each device, and counts that equal the rows",
    "tests/faults/broadcast-kills.test.ts (R4)",
    "tests/server/notifications.test.ts",
  ),
  row("Logs: grouped by level, searched, live, deleted as a whole", "tests/e2e/logs.spec.ts"),
  row(
    "Resources: figures, history and incidents",
    "tests/e2e/resources.spec.ts",
    "app/services/resources/incident-rules.test.ts",
  ),
  row("Activity: who did what, when and from where", "tests/server/activity.test.ts"),
  row(
    "The API: every call of the specification's section 7, with tokens",
    "tests/server/api-client.test.ts",
    "tests/server/api.test.ts (C11)",
  ),
  row("Look: contrast and structure in both themes", "tests/e2e/accessibility.spec.ts"),
  {
    ...row("Look: every screen at four widths in both themes", "tests/e2e/weight.spec.ts"),
    notHeld: "checked by eye; no test compares pictures",
  },
  row(
    "Speed: the landing page reaches 0.75 of a bare server, emails and push messages 1.2 of a bare loop, and a signup takes 1.1 ms of processor time stored, 0.7 ms not stored",
    "tests/bench/landing.ts",
    "tests/bench/signups.ts",
    "tests/bench/emails.ts",
    "tests/bench/pushes.ts",
  ),
  row(
    "Speed: a page of the back office reaches 0.6 of rendering its tree alone, and a page of a million submissions is as fast as Directus's list",
    "tests/bench/peers.ts",
  ),
  row(
    "Size: 220 MiB idle, 2 s to the first response, 30 MiB for 1,000 idle connections",
    "tests/bench/idle.ts",
  ),
];
